import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { inTurns } from './inTurns.ts'
import { limitOf } from './limitOf.ts'

process.env.RATE_LIMITS = 'on'
const bed = useBillingStack()

const requests = [
  ['billing-checkout', 'POST', '/api/billing/checkout', { product_codes: ['base_ota'] }],
  ['billing-setup-intent', 'POST', '/api/billing/card-gateway/setup-intent', undefined],
  ['billing-cancel', 'POST', '/api/billing/cancel', { product: 'ota' }],
  ['billing-entitlements', 'GET', '/api/billing/entitlements', undefined],
] as const

/** Advances the clock to the beginning of a window, so that a burst is over before its end. */
async function nextWindow() {
  const now = await bed.stack.emulator.now()
  await bed.stack.emulator.advance(60 - (Math.floor(now) % 60))
}

/** Sends requests of the owner for an organization without a card, whose checkout is refused before any payment. */
async function sender([, method, path, body]: (typeof requests)[number]) {
  const token = await bed.stack.token()
  const organizationId = await bed.stack.client.newOrganization()
  return () =>
    bed.stack.wire({
      method,
      path: `${path}?organization_id=${organizationId}`,
      token,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
}

describe.each(requests)('%s, %s %s', (...request) => {
  const [name, method] = request
  const limit = limitOf(name)

  it('admits exactly the limit of a burst, and answers 429 to the others without a write or a call to the gateway', async () => {
    const { stack } = bed
    await nextWindow()
    const send = await sender(request)
    const answers = await inTurns(limit + 30, send)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)

    await stack.emulator.clearRequests()
    stack.dynamoDb.reset()
    const refused = await send()
    expect(refused).toMatchObject({ status: 429, body: errorBody('Too many requests', 'rate_limited') })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(await stack.emulator.requests()).toEqual([])
    const read = method === 'GET' ? ['BatchGetItem'] : []
    expect(
      stack.dynamoDb
        .calls()
        .map(({ operation }) => operation)
        .sort(),
    ).toEqual([...read, 'UpdateItem'])
  })

  it('admits again in the next window, and other users in the same one', async () => {
    const send = await sender(request)
    await nextWindow()
    expect((await send()).status).not.toBe(429)
    await inTurns(limit, send)
    const other = await bed.stack.token('billing_admin')
    const organizationId = await bed.stack.client.newOrganization()
    const [, , path, body] = request
    const answer = await bed.stack.wire({
      method,
      path: `${path}?organization_id=${organizationId}`,
      token: other,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    expect(answer.status).not.toBe(429)
    expect((await send()).status).toBe(429)
  })
})

describe('POST /api/billing/checkout', () => {
  it('sells, and charges once, while requests cannot be counted', async () => {
    const { stack } = bed
    await nextWindow()
    const { organizationId, card } = await stack.organizationWithCard()
    const token = await stack.token()
    stack.dynamoDb.reset()
    stack.dynamoDb.fail({ operation: 'UpdateItem', times: 3, kind: 'drop_before' })
    expect(await stack.checkoutWith(token, organizationId, ['base_ota'], { card })).toMatchObject({ status: 201 })
    expect(await stack.charges(organizationId)).toBe(1)
  })
})
