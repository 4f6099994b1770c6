import { beforeAll, describe, expect, it } from '@jest/globals'
import { purchaseMetadata } from '../../billing/createAtGateway.ts'
import { customerOf, subscribedOrganization } from '../../billing/gatewayView.ts'
import { useCleanStack } from '../../billing/useCleanStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { holdUnknown, isActive } from './putSlot.ts'

const bed = useCleanStack()
const operate = commandOn(bed, 'operate')
beforeAll(() => bed.stack.emulator.allowSeveralLive())

describe('npm run operate -- release', () => {
  it('frees a slot whose subscription the gateway does not know, and its coupon, and ends the entitlement', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const coupon = await stack.newCoupon()
    await stack.checkout(organizationId, ['base_ota'], { card, coupon: coupon.code })
    await stack.emulator.flush()
    const [own] = await stack.subscriptions(organizationId)
    await stack.emulator.webhooks('hold')
    await stack.stripe.subscriptions.cancel(own?.id ?? '')
    await holdUnknown(stack, organizationId)
    const dry = await operate('release', organizationId, 'ota', '--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('would be active, n=1 -> canceled, n=1') })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    expect(await stack.redemptions(coupon.id)).toHaveLength(1)
    const wet = await operate('release', organizationId, 'ota')
    expect(wet).toMatchObject({ code: 0, output: expect.stringContaining('was active, n=1 -> canceled, n=1') })
    expect(wet.output).toContain('Slot changed by an operator')
    const actions = (await stack.auditEntries(organizationId)).map(({ action, actor }) => [action, actor.type])
    expect(actions.filter(([action]) => action?.startsWith('subscription.'))).toEqual([
      ['subscription.purchased', 'user'],
      ['subscription.released', 'operator'],
    ])
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled', n: 1 })
    expect(await stack.redemptions(coupon.id)).toEqual([])
    expect(await isActive(bed.stack, organizationId)).toBe(false)
    const again = await operate('release', organizationId, 'ota')
    expect(again).toMatchObject({ code: 2, output: expect.stringContaining('the slot is free') })
    const { outcomes } = await stack.checkout(organizationId, ['base_ota'], { card, coupon: coupon.code })
    expect(outcomes).toEqual(['bought active'])
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 2 })
  })

  it('is refused while the customer has a live subscription of the product', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const own = await operate('release', organizationId, 'ota')
    expect(own).toMatchObject({ code: 2, output: expect.stringContaining(`${subscriptionId}, which is active`) })
    const item = await holdUnknown(stack, organizationId)
    await stack.stripe.subscriptions.update(subscriptionId, { metadata: { organization_id: '', plan_code: '' } })
    const unnamed = await operate('release', organizationId, 'ota')
    expect(unnamed).toMatchObject({ code: 2, output: expect.stringContaining(`${subscriptionId}, which is active`) })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    await stack.stripe.subscriptions.update(subscriptionId, { metadata: purchaseMetadata(stack, organizationId) })
    await stack.putItem(item)
  })

  it('is refused where the gateway does not see the customer, as with the key of another account', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    await stack.emulator.webhooks('hold')
    await stack.stripe.subscriptions.cancel(subscriptionId)
    const item = await holdUnknown(stack, organizationId)
    const missing = { error: { type: 'invalid_request_error', code: 'resource_missing', param: 'id' } }
    const path = `/v1/customers/${await customerOf(stack, organizationId)}`
    await stack.emulator.fault({ method: 'GET', path, kind: 'status', status: 404, body: missing })
    const blind = await operate('release', organizationId, 'ota')
    expect(blind).toMatchObject({ code: 2, output: expect.stringContaining('does not see the customer') })
    expect(await isActive(bed.stack, organizationId)).toBe(true)
    await stack.putItem(item)
  })

  it('is refused for a purchase that may still arrive, and frees it once that is certain', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_before', times: 2 })
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['gateway_unavailable'])
    await stack.emulator.clearFaults()
    const early = await operate('release', organizationId, 'ota')
    expect(early).toMatchObject({ code: 2, output: expect.stringContaining('may still arrive') })
    await stack.emulator.advance(16 * 60)
    expect(await operate('release', organizationId, 'ota')).toMatchObject({ code: 0 })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'none', n: 1 })
  })

  it.each([
    [['release', 'no-uuid', 'ota'], 'ORGANIZATION is an id'],
    [['release', '11111111-2222-4333-8444-555555555555', 'otas'], 'PRODUCT is one of ota'],
    [['release'], 'npm run operate -- <command>'],
  ])('exits with 1 and says what is wrong with %j', async (args, output) => {
    expect(await operate(...args)).toEqual({ code: 1, output: expect.stringContaining(output) })
  })
})
