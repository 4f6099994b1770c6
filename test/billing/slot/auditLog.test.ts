import { afterEach, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { customerOf } from '../gatewayView.ts'

const bed = useBillingStack()
afterEach(async () => {
  bed.stack.dynamoDb.reset()
  await bed.stack.emulator.webhooks('deliver')
  await bed.stack.emulator.flush()
})

const DAY = 86_400

/** What the organization's log says of its subscriptions, or of something else, oldest first: the action, and who. */
async function logOf(organizationId: string, about = 'subscription'): Promise<string[]> {
  const { owner, billing_admin } = bed.stack.client.info.demo
  const names = new Map([
    [owner.id, 'owner'],
    [billing_admin.id, 'billing admin'],
  ])
  const entries = await bed.stack.auditEntries(organizationId)
  const own = entries.filter(({ action }) => action.startsWith(about))
  return own.map(({ action, actor }) => `${action} by ${names.get(actor.id ?? '') ?? actor.type}`)
}

async function subscribed() {
  const { organizationId, card } = await bed.stack.organizationWithCard()
  await bed.stack.checkout(organizationId, ['base_ota'], { card })
  await bed.stack.emulator.flush()
  return { organizationId, card }
}

const bought = 'subscription.purchased by owner'

describe('The audit log of what an organization buys', () => {
  it('has a purchase once, whoever writes it, and none that was refused or repeated', async () => {
    const { stack } = bed
    const { organizationId, card } = await subscribed()
    await stack.checkout(organizationId, ['base_ota'], { card, as: 'billing_admin' })
    const declined = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
    await stack.checkout(organizationId, ['addon_monitoring'], { card: declined })
    await stack.checkout(organizationId, ['base_nothing'], { card })
    await stack.checkout(organizationId, ['addon_remote_ssh'], { card, as: 'member' })
    await stack.emulator.flush()
    const all = await stack.auditEntries(organizationId)
    const [entry, ...others] = all.filter(({ action }) => action.startsWith('subscription'))
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      action: 'subscription.purchased',
      target: 'ota',
      detail: { plan_code: 'base_ota', status: 'active', coupon_code: null, n: 1 },
    })
    expect(JSON.stringify(entry)).not.toContain(await customerOf(stack, organizationId))
    expect(await logOf(organizationId)).toEqual([bought])
  })

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

  it('names the gateway for what it did by itself: a renewal, and an end that was scheduled', async () => {
    const { stack } = bed
    const { organizationId } = await subscribed()
    await stack.emulator.advance(32 * DAY)
    await stack.emulator.flush()
    await stack.cancel(organizationId, { product: 'ota' })
    await stack.emulator.advance(32 * DAY)
    await stack.emulator.flush()
    expect(await logOf(organizationId)).toEqual([
      bought,
      'subscription.renewed by gateway',
      'subscription.cancellation_scheduled by owner',
      'subscription.canceled by gateway',
    ])
  })
})

describe('The audit log of an organization’s cards', () => {
  it('has the first default as the gateway’s, and then each change of it and each removal once, as its user’s', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const next = await stack.addCard(organizationId, 'pm_card_mastercard')
    const change = async (id: string, as: 'owner' | 'billing_admin' | 'member') =>
      (await stack.post(`/api/billing/payment-methods/${id}/default`, organizationId, undefined, as)).status
    const remove = async (id: string) => {
      const path = `/api/billing/payment-methods/${id}?organization_id=${organizationId}`
      return (await stack.client.send({ method: 'DELETE', path, token: await stack.token() })).status
    }
    expect(await change(card, 'owner')).toBe(200)
    for (const [id, as] of [
      [next, 'billing_admin'],
      [next, 'billing_admin'],
      [card, 'owner'],
      [next, 'billing_admin'],
    ] as const)
      expect(await change(id, as)).toBe(200)
    expect(await change(card, 'member')).toBe(403)
    expect(await change('pm_unknown', 'owner')).toBe(404)
    expect([await remove(card), await remove(card)]).toEqual([204, 404])
    await stack.emulator.flush()
    const changed = 'payment_method.default_changed by'
    expect(await logOf(organizationId, 'payment_method')).toEqual([
      `${changed} owner`,
      `${changed} billing admin`,
      `${changed} owner`,
      `${changed} billing admin`,
      'payment_method.removed by owner',
    ])
    const entries = await stack.auditEntries(organizationId)
    const targets = entries.flatMap(({ action, target }) => (action.startsWith('payment_method') ? [target] : []))
    expect(targets).toEqual([card, next, card, next, card])
  })
})

describe('The audit log of an organization’s billing details', () => {
  it('names the members that a user changed, once, also where the answer was lost, and none that was refused', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    const path = `/api/billing/details?organization_id=${organizationId}`
    const patch = async (body: object, as: 'owner' | 'billing_admin' | 'member' = 'owner') =>
      (await stack.client.send({ method: 'PATCH', path, body, token: await stack.token(as) })).status
    const country = { line1: null, line2: null, city: null, state: null, postal_code: null, country: 'DE' }
    expect([await patch({ name: 'Ada Inc' }), await patch({ name: 'Ada Inc' })]).toEqual([200, 200])
    expect(await patch({ name: 'Ada Inc', email: 'bills@example.com', address: country }, 'billing_admin')).toBe(200)
    await stack.emulator.fault({ method: 'POST', path: '/v1/customers/*', times: 2, kind: 'drop_after' })
    expect([await patch({ name: 'Ada Ltd' }), await patch({ name: 'Ada Ltd' })]).toEqual([503, 200])
    stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    expect([await patch({ address: null }), await patch({ address: null }), await patch({})]).toEqual([503, 200, 200])
    expect(await patch({ email: 'nobody' })).toBe(422)
    expect(await patch({ name: 'Eve' }, 'member')).toBe(403)
    const entries = await stack.auditEntries(organizationId)
    const { owner, billing_admin } = stack.client.info.demo
    const said = (id: string, changed: string[]) => ({
      action: 'details.changed',
      actor: { type: 'user', id },
      target: organizationId,
      detail: { changed },
    })
    expect(entries.map(({ action, actor, target, detail }) => ({ action, actor, target, detail }))).toEqual([
      said(owner.id, ['name']),
      said(billing_admin.id, ['email', 'address']),
      said(owner.id, ['name']),
      said(owner.id, ['address']),
    ])
    expect(JSON.stringify(await stack.items())).not.toMatch(/Ada|bills@/)
  })
})
