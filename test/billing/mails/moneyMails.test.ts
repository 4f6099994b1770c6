import { beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { invoicedOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import { customerOf, subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'

const bed = useCleanStack()

const DAY = 86_400
const mailbox = z.array(z.looseObject({ to: z.string(), subject: z.string() }))

/** The mails that this run sent to the billing address of an organization. */
async function mailsTo(organizationId: string): Promise<string[]> {
  const customer = await bed.stack.stripe.customers.retrieve(await customerOf(bed.stack, organizationId))
  const email = 'email' in customer ? customer.email : null
  const before = await read(email)
  await runSchedule('billing-mails')
  return (await read(email)).slice(0, -before.length || undefined)
}

async function read(email: string | null): Promise<string[]> {
  const { body } = await bed.stack.client.send({ method: 'GET', path: '/_local/mail.json' })
  return mailbox.parse(body).flatMap(({ to, subject }) => (to === email ? [subject] : []))
}

describe('billing-mails', () => {
  beforeEach(() => runSchedule('billing-mails'))

  it('mails a purchase and a cancellation, each once, whoever records them', async () => {
    const { organizationId } = await subscribedOrganization(bed.stack)
    await bed.stack.emulator.flush()
    expect(await mailsTo(organizationId)).toEqual(['You bought Over-the-air updates'])
    await bed.stack.cancel(organizationId, { product: 'ota' })
    await bed.stack.emulator.flush()
    expect(await mailsTo(organizationId)).toEqual(['Canceled: Over-the-air updates'])
    await bed.stack.emulator.advance(40 * DAY)
    await bed.stack.emulator.flush()
    expect(await mailsTo(organizationId)).toEqual([])
  })

  it('mails a renewal that the card did not pay, and the card before it expires', async () => {
    const { organizationId, subscriptionId } = await subscribedOrganization(bed.stack)
    await bed.stack.emulator.flush()
    await runSchedule('billing-mails')
    const bad = await bed.stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
    await bed.stack.stripe.subscriptions.update(subscriptionId, { default_payment_method: bad })
    await bed.stack.emulator.advance(32 * DAY)
    await bed.stack.emulator.flush()
    expect(await mailsTo(organizationId)).toEqual(['Payment failed: Over-the-air updates'])
    const now = new Date((await bed.stack.emulator.now()) * 1000)
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
    const card = { exp_month: next.getUTCMonth() + 1, exp_year: next.getUTCFullYear() }
    await bed.stack.stripe.paymentMethods.update(bad, { card })
    await runSchedule('billing-reconcile', { begin: true })
    expect(await mailsTo(organizationId)).toEqual(['Your card expires next month'])
    await runSchedule('billing-reconcile', { begin: true })
    expect(await mailsTo(organizationId)).toEqual([])
  })

  it('mails an invoice that was sent', async () => {
    const organizationId = await invoicedOrganization(bed.stack.client)
    await bed.stack.checkout(organizationId, ['base_ota'])
    await bed.stack.emulator.flush()
    await bed.stack.emulator.advance(3610)
    await bed.stack.emulator.flush()
    expect((await mailsTo(organizationId)).toSorted()).toEqual([
      'Invoice for Over-the-air updates',
      'You bought Over-the-air updates',
    ])
  })
})
