import { describe, expect, it } from '@jest/globals'
import { deliveries } from '../../../infra/cost/calls.ts'
import { invoicedOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { gatewayEventTypes } from '../../../lib/billing/gateway/gatewayEvent.ts'
import { useBillingStack } from '../../support/billingStack.ts'

const bed = useBillingStack()
const HOUR = 3600
const MONTH = 31 * 24 * HOUR
const delivered: readonly string[] = gatewayEventTypes

/** The events that the webhook is registered for and that happen meanwhile, in their order. */
async function eventsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { stripe } = bed.stack
  const before = await stripe.events.list({ limit: 100 })
  const known = new Set(before.data.map(({ id }) => id))
  await work()
  const { data } = await stripe.events.list({ limit: 100 })
  return data
    .filter(({ id, type }) => !known.has(id) && delivered.includes(type))
    .map(({ type }) => type)
    .toReversed()
}

/** Lets the hour pass in which an invoice is a draft; a transfer then pays it. */
async function pay(): Promise<void> {
  const { stripe, emulator } = bed.stack
  await emulator.advance(HOUR + 1)
  const { data } = await stripe.invoices.list({ status: 'open', collection_method: 'send_invoice' })
  for (const { id } of data) await stripe.invoices.pay(id, { paid_out_of_band: true })
}

describe('The events of the cost report', () => {
  it('are those of a purchase and a renewal with a card', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    expect(await eventsOf(() => stack.checkout(organizationId, ['base_ota'], { card }))).toEqual(
      deliveries['a purchase with a card'],
    )
    const renew = async () => {
      await stack.emulator.advance(MONTH)
      await stack.emulator.advance(HOUR + 1)
    }
    expect(await eventsOf(renew)).toEqual(deliveries['a renewal with a card'])
    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
  })

  it('are those of a purchase and a renewal by invoice, until each is paid', async () => {
    const { stack } = bed
    const organizationId = await invoicedOrganization(stack.client)
    const buy = async () => {
      await stack.checkout(organizationId, ['base_ota'])
      await pay()
    }
    expect(await eventsOf(buy)).toEqual(deliveries['a purchase by invoice'])
    const renew = async () => {
      await stack.emulator.advance(MONTH)
      await pay()
    }
    expect(await eventsOf(renew)).toEqual(deliveries['a renewal by invoice'])
  })
})
