import { describe, expect, it } from '@jest/globals'
import type { DemoUser } from '../../../infra/data/demo.ts'
import { products } from '../../../lib/billing/catalog.ts'
import { toRfc3339 } from '../../../lib/core/clock.ts'
import { errorBody } from '../../support/errorBody.ts'
import { createAtGateway, purchaseMetadata } from '../createAtGateway.ts'
import { customerOf, storedAccount, subscribedOrganization, subscriptionOf } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'

const bed = useCleanStack()

async function read(organizationId: string, user: DemoUser = 'owner') {
  const { stack } = bed
  const path = `/api/billing/entitlements?organization_id=${organizationId}`
  return stack.client.send({ method: 'GET', path, token: await stack.token(user) })
}

/** The whole answer for an organization that has bought `ota` at most. */
function onlyOta(ota: { active: boolean; valid_until: string | null; updated_at: unknown }, createdAt: unknown) {
  const others = products.slice(1).map((product) => {
    return { product, active: false, valid_until: null, updated_at: createdAt }
  })
  const entitlements = [{ product: 'ota', ...ota }, ...others]
  const body = { entitlements, next_cursor: null, updated_at: ota.updated_at }
  return { status: 200, body }
}

async function periodEnd(organizationId: string): Promise<number> {
  return (await subscriptionOf(bed.stack, organizationId)).items.data[0]?.current_period_end ?? 0
}

const now = async () => toRfc3339((await bed.stack.emulator.now()) * 1000)

/** A read that answers 304 to `etag`, and its calls to DynamoDB: requests are not counted here. */
async function poll(organizationId: string, etag?: string) {
  const { stack } = bed
  const authorization = `Bearer ${await stack.token('member')}`
  stack.dynamoDb.reset()
  const response = await fetch(
    `${stack.client.info.base_url}/api/billing/entitlements?organization_id=${organizationId}`,
    { headers: { authorization, ...(etag !== undefined && { 'if-none-match': etag }) } },
  )
  const read = { status: response.status, etag: response.headers.get('etag') ?? '', text: await response.text() }
  return { ...read, calls: stack.dynamoDb.calls().map(({ operation }) => operation) }
}

/** RFC 3339 in UTC within two seconds of `time`. */
function about(time: string) {
  const at = Date.parse(time)
  const times = [-2, -1, 0, 1, 2].map((seconds) => toRfc3339(at + seconds * 1000))
  return expect.stringMatching(new RegExp(`^(?:${times.join('|')})$`))
}

describe('GET /api/billing/entitlements', () => {
  it('returns one row for each product, in the order of the catalog, before anything was bought', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    const { createdAt } = await storedAccount(bed.stack, organizationId)
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const ota = { active: false, valid_until: null, updated_at: createdAt }
    expect(await read(organizationId)).toEqual(onlyOta(ota, createdAt))
  })

  it.each(['owner', 'billing_admin', 'member'] as const)('answers 200 to a %s', async (user) => {
    const { organizationId } = await subscribedOrganization(bed.stack)
    expect(await read(organizationId, user)).toMatchObject({
      status: 200,
      body: { entitlements: { length: products.length } },
    })
  })

  it('answers a stranger as if the organization did not exist, and a caller without a token with 401', async () => {
    const { organizationId } = await subscribedOrganization(bed.stack)
    const unknown = { status: 404, body: errorBody('Organization not found', 'organization_not_found') }
    expect(await read(organizationId, 'stranger')).toEqual(unknown)
    expect(await read('00000000-0000-4000-8000-000000000000', 'stranger')).toEqual(unknown)
    const path = `/api/billing/entitlements?organization_id=${organizationId}`
    expect((await bed.stack.client.send({ method: 'GET', path })).status).toBe(401)
  })

  it('returns a product as active until the end of its paid period, of its renewal, and of a scheduled end', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const { createdAt } = await storedAccount(stack, organizationId)
    const firstEnd = await periodEnd(organizationId)
    const paid = { active: true, valid_until: toRfc3339(firstEnd * 1000), updated_at: about(await now()) }
    expect(await read(organizationId)).toEqual(onlyOta(paid, createdAt))

    await stack.emulator.advance(firstEnd - (await stack.emulator.now()) + 2 * 3600)
    await stack.emulator.flush()
    const secondEnd = await periodEnd(organizationId)
    expect(secondEnd).toBeGreaterThan(firstEnd)
    const renewed = { active: true, valid_until: toRfc3339(secondEnd * 1000), updated_at: about(await now()) }
    expect(await read(organizationId)).toEqual(onlyOta(renewed, createdAt))

    const end = (await stack.emulator.now()) + 5 * 86_400
    await stack.stripe.subscriptions.update(subscriptionId, { cancel_at: end, proration_behavior: 'none' })
    await stack.emulator.flush()
    const scheduled = { active: true, valid_until: toRfc3339(end * 1000), updated_at: about(await now()) }
    expect(await read(organizationId)).toEqual(onlyOta(scheduled, createdAt))
  })

  // [bug 13]
  it('returns a product as inactive from its scheduled end on, while the event of the end is held', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const { createdAt } = await storedAccount(stack, organizationId)
    const end = (await stack.emulator.now()) + 86_400
    await stack.stripe.subscriptions.update(subscriptionId, { cancel_at: end, proration_behavior: 'none' })
    await stack.emulator.flush()
    await stack.emulator.webhooks('hold')
    await stack.emulator.advance(end - (await stack.emulator.now()) + 1)
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    const ended = { active: false, valid_until: null, updated_at: toRfc3339(end * 1000) }
    expect(await read(organizationId)).toEqual(onlyOta(ended, createdAt))
  })

  it('answers 304 without a body, for one read, until an entitlement changes', async () => {
    const { stack } = bed
    const { organizationId, card } = await subscribedOrganization(stack)
    await stack.emulator.flush()
    const first = await poll(organizationId)
    expect(first).toMatchObject({ status: 200, etag: expect.stringMatching(/^"[\w-]+"$/), calls: ['BatchGetItem'] })
    const same = { status: 304, etag: first.etag, text: '', calls: ['BatchGetItem'] }
    expect(await poll(organizationId, first.etag)).toEqual(same)
    expect(await poll(organizationId, `"another", ${first.etag}`)).toEqual(same)
    await stack.checkout(organizationId, ['addon_monitoring'], { card })
    const bought = await poll(organizationId, first.etag)
    expect(bought).toMatchObject({ status: 200, text: expect.stringContaining('"product":"monitoring","active":true') })
    expect(bought.etag).not.toBe(first.etag)
  })

  it('answers 200 to the ETag of before a scheduled end, while the event of the end is held', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const end = (await stack.emulator.now()) + 86_400
    await stack.stripe.subscriptions.update(subscriptionId, { cancel_at: end, proration_behavior: 'none' })
    await stack.emulator.flush()
    const { etag } = await poll(organizationId)
    await stack.emulator.webhooks('hold')
    await stack.emulator.advance(end - (await stack.emulator.now()) + 1)
    const text = expect.stringContaining(`"updated_at":"${toRfc3339(end * 1000)}"}`)
    expect(await poll(organizationId, etag)).toMatchObject({ status: 200, text })
  })

  it('returns a product as active while its renewal is past due, and as inactive once the subscription has ended', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const { createdAt } = await storedAccount(stack, organizationId)
    const failing = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
    await stack.stripe.subscriptions.update(subscriptionId, { default_payment_method: failing })
    // Otherwise events under way when the clock moves would be recorded with an earlier time.
    await stack.emulator.flush()
    await stack.emulator.advance((await periodEnd(organizationId)) - (await stack.emulator.now()) + 2 * 3600)
    await stack.emulator.flush()
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'past_due' })
    const until = toRfc3339((await periodEnd(organizationId)) * 1000)
    const due = { active: true, valid_until: until, updated_at: about(await now()) }
    expect(await read(organizationId)).toEqual(onlyOta(due, createdAt))

    await stack.stripe.subscriptions.cancel(subscriptionId)
    await stack.emulator.flush()
    const ended = { active: false, valid_until: null, updated_at: about(await now()) }
    expect(await read(organizationId)).toEqual(onlyOta(ended, createdAt))
  })

  it('returns a product as active on trial, and as inactive while paused', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const { id, trial_end } = await createAtGateway(stack, {
      customer: await customerOf(stack, organizationId),
      default_payment_method: card,
      trial_period_days: 7,
      metadata: purchaseMetadata(stack, organizationId),
    })
    await stack.emulator.flush()
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'trialing' })
    const [ota] = await stack.entitlements(organizationId)
    expect(ota).toMatchObject({ active: true, valid_until: toRfc3339((trial_end ?? 0) * 1000) })

    await stack.stripe.subscriptions.pause(id)
    await stack.emulator.flush()
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'paused' })
    expect((await stack.entitlements(organizationId))[0]).toMatchObject({ active: false, valid_until: null })
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['already_subscribed'])
  })

  it('returns a product as inactive while its first payment waits for authentication', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard('pm_card_authenticationRequired')
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought incomplete'])
    expect((await stack.entitlements(organizationId))[0]).toMatchObject({ active: false, valid_until: null })
  })

  it('does not change other products when one is bought and canceled', async () => {
    const { stack } = bed
    const { organizationId, card } = await subscribedOrganization(stack)
    const [ota] = await stack.entitlements(organizationId)
    await stack.emulator.advance(60)
    await stack.checkout(organizationId, ['addon_monitoring'], { card })
    await stack.cancel(organizationId, { product: 'monitoring', at_period_end: false })
    await stack.emulator.flush()
    const after = await stack.entitlements(organizationId)
    expect(after.map(({ product }) => product)).toEqual(products)
    expect(after[0]).toEqual(ota)
    expect(after[1]).toMatchObject({ active: false, updated_at: expect.not.stringMatching(String(ota?.updated_at)) })
  })
})
