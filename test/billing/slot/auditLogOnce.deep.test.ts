import { describe, expect, it } from '@jest/globals'
import { customerOf } from '../gatewayView.ts'
import { bought, useAuditLog } from './useAuditLog.ts'

const { bed, logOf, subscribed } = useAuditLog()

const DAY = 86_400

describe('The audit log of what an organization buys', () => {
  it('has the purchase of a request whose acknowledgements were lost, once', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 2, kind: 'drop_after' })
    await stack.checkout(organizationId, ['base_ota'], { card })
    await stack.checkout(organizationId, ['base_ota'], { card })
    await stack.emulator.flush()
    expect(await logOf(organizationId)).toEqual([bought])
  })

  it('names the user who canceled, also where the event is projected before the request writes', async () => {
    const { stack } = bed
    const { organizationId } = await subscribed()
    // Signing in writes as well.
    await stack.token('billing_admin')
    // The request's own write is refused, and it says so: the event alone is written.
    stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    await stack.emulator.webhooks('hold')
    expect((await stack.cancel(organizationId, { product: 'ota' }, 'billing_admin')).status).toBe(503)
    expect(await logOf(organizationId)).toEqual([bought])
    stack.dynamoDb.reset()
    await stack.emulator.webhooks('deliver')
    await stack.emulator.flush()
    const scheduled = 'subscription.cancellation_scheduled by billing admin'
    expect(await logOf(organizationId)).toEqual([bought, scheduled])
    expect((await stack.cancel(organizationId, { product: 'ota' })).status).toBe(200)
    await stack.emulator.flush()
    expect(await logOf(organizationId)).toEqual([bought, scheduled])
    const now = await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect(now.status).toBe(200)
    await stack.emulator.flush()
    expect(await logOf(organizationId)).toEqual([bought, scheduled, 'subscription.canceled by owner'])
  })

  it('names the user who resumed, once, also where the event is projected before the request writes', async () => {
    const { stack } = bed
    const { organizationId } = await subscribed()
    const resume = (as: 'owner' | 'billing_admin') =>
      stack.post('/api/billing/subscriptions/ota/resume', organizationId, undefined, as)
    const scheduled = 'subscription.cancellation_scheduled by owner'
    const resumed = 'subscription.resumed by billing admin'
    await stack.cancel(organizationId, { product: 'ota' })
    for (const as of ['billing_admin', 'owner'] as const) expect((await resume(as)).status).toBe(200)
    await stack.emulator.flush()
    expect(await logOf(organizationId)).toEqual([bought, scheduled, resumed])
    await stack.cancel(organizationId, { product: 'ota' })
    await stack.emulator.flush()
    stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    await stack.emulator.webhooks('hold')
    expect((await resume('billing_admin')).status).toBe(503)
    stack.dynamoDb.reset()
    await stack.emulator.webhooks('deliver')
    await stack.emulator.flush()
    expect((await resume('owner')).status).toBe(200)
    expect(await logOf(organizationId)).toEqual([bought, scheduled, resumed, scheduled, resumed])
  })

  it('names the user who paid, also where the event is projected before the request writes', async () => {
    const { stack } = bed
    const { organizationId, card } = await subscribed()
    const customer = await customerOf(stack, organizationId)
    const dead = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
    const [{ id = '' } = {}] = await stack.subscriptions(organizationId)
    await stack.stripe.subscriptions.update(id, { default_payment_method: dead })
    await stack.stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
    await stack.emulator.advance(32 * DAY)
    await stack.emulator.advance(2 * 3600)
    await stack.emulator.flush()
    const pay = () =>
      stack.post('/api/billing/subscriptions/ota/pay', organizationId, { payment_method_id: card }, 'billing_admin')
    // The event comes before the answer of the payment.
    await stack.emulator.fault({ method: 'POST', path: '/v1/invoices/*', times: 1, kind: 'delay', delay_ms: 500 })
    expect((await pay()).status).toBe(200)
    await stack.emulator.flush()
    expect((await pay()).status).toBe(409)
    const log = await logOf(organizationId)
    expect(log).toEqual([bought, expect.stringContaining('by gateway'), 'subscription.status_changed by billing admin'])
  })
})
