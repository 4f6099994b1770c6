import { describe, expect, it } from '@jest/globals'
import { customerOf } from '../gatewayView.ts'
import { bought, useAuditLog } from './useAuditLog.ts'

const { bed, logOf, subscribed } = useAuditLog()

const DAY = 86_400

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
