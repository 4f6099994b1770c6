import { describe, expect, it } from '@jest/globals'
import { subscribedOrganization } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

/** An organization whose renewal a card declined, and the open invoice of it. */
async function pastDue() {
  const { stack } = bed
  const { organizationId, card, subscriptionId } = await subscribedOrganization(stack)
  const failing = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
  await stack.stripe.subscriptions.update(subscriptionId, { default_payment_method: failing })
  await stack.emulator.flush()
  await advancePeriod(subscriptionId)
  const { latest_invoice } = await stack.stripe.subscriptions.retrieve(subscriptionId)
  return { organizationId, card, subscriptionId, invoiceId: String(latest_invoice) }
}

/** Moves the clock to two hours after the end of the period, when its renewal has been charged. */
async function advancePeriod(subscriptionId: string): Promise<void> {
  const { emulator, stripe } = bed.stack
  const { items } = await stripe.subscriptions.retrieve(subscriptionId)
  await emulator.advance((items.data[0]?.current_period_end ?? 0) - (await emulator.now()) + 2 * 3600)
  await emulator.flush()
}

const shown = async (organizationId: string) => (await bed.stack.get('subscriptions', organizationId)).body
const showing = (status: string, action: string) => ({ subscriptions: [{ product: 'ota', status, action }] })
const pay = (organizationId: string) => bed.stack.post('/api/billing/subscriptions/ota/pay', organizationId, {})
const nothingToPay = { status: 409, body: { code: 'nothing_to_pay' } }

describe('GET /api/billing/subscriptions, after an operator voided the invoice of a renewal', () => {
  it('asks for no card, because there is nothing to pay, and the next renewal is charged', async () => {
    const { stack } = bed
    const { organizationId, card, subscriptionId, invoiceId } = await pastDue()
    expect(await shown(organizationId)).toMatchObject(showing('past_due', 'update_payment_method'))

    await stack.stripe.invoices.voidInvoice(invoiceId)
    await stack.emulator.flush()
    expect(await shown(organizationId)).toMatchObject(showing('past_due', 'none'))
    expect(await pay(organizationId)).toMatchObject(nothingToPay)

    await stack.stripe.subscriptions.update(subscriptionId, { default_payment_method: card })
    await advancePeriod(subscriptionId)
    expect(await shown(organizationId)).toMatchObject(showing('active', 'none'))
  })

  it('asks for none after an attempt to pay, if the event of the void was lost', async () => {
    const { stack } = bed
    const { organizationId, invoiceId } = await pastDue()
    await stack.emulator.webhooks('hold')
    await stack.stripe.invoices.voidInvoice(invoiceId)
    expect(await shown(organizationId)).toMatchObject(showing('past_due', 'update_payment_method'))
    expect(await pay(organizationId)).toMatchObject(nothingToPay)
    expect(await shown(organizationId)).toMatchObject(showing('past_due', 'none'))
  })
})
