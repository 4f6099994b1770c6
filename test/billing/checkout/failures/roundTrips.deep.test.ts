import { beforeAll, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../../support/billingStack.ts'

const bed = useBillingStack()

/**
 * Runs one request, and returns the calls that it made to DynamoDB and to Stripe, each sorted. The events of what was done before make
 * calls of their own: they are delivered first, unless they are to be held.
 */
async function countCalls(
  request: () => Promise<unknown>,
  { holdEarlier = false } = {},
): Promise<{ dynamoDb: string[]; stripe: string[] }> {
  const { stack } = bed
  await stack.emulator.webhooks('hold')
  if (!holdEarlier) await stack.emulator.flush()
  await stack.emulator.clearRequests()
  stack.dynamoDb.reset()
  await request()
  const dynamoDb = stack.dynamoDb.calls().map(({ operation }) => operation)
  const stripe = (await stack.emulator.requests()).map(
    ({ method, path }) => `${method} ${path.replace(/[a-z]+_\w{14,}/, ':id')}`,
  )
  await stack.emulator.flush()
  await stack.emulator.webhooks('deliver')
  return { dynamoDb: dynamoDb.sort(), stripe: stripe.sort() }
}

const claim = 'PutItem'
/** Of the claims and the account, in a transaction: reads by themselves need not show a change that is older than a claim. */
const readAgain = 'TransactGetItems'
const settle = 'TransactWriteItems'
/** What a subscription is charged next. */
const nextCharge = 'POST /v1/invoices/create_preview'

/** Prices are cached for five minutes in each container. */
beforeAll(async () => {
  const { organizationId, card } = await bed.stack.organizationWithCard()
  await bed.stack.checkout(organizationId, ['base_ota'], { card })
})

describe('POST /api/billing/checkout', () => {
  // [bug 14]
  it.each([
    [1, ['base_ota']],
    [2, ['base_ota', 'addon_monitoring']],
    [4, ['base_ota', 'addon_monitoring', 'addon_crash_reporting', 'addon_remote_ssh']],
  ])('makes 2 + 2n calls to DynamoDB and 2n to Stripe for a returning buyer’s cart of %i', async (n, codes) => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const token = await stack.token()
    const calls = await countCalls(() => stack.checkoutWith(token, organizationId, codes, { card }))
    expect(calls).toEqual({
      dynamoDb: ['BatchGetItem', ...Array(n).fill(claim), readAgain, ...Array(n).fill(settle)],
      stripe: [...Array(n).fill(nextCharge), ...Array(n).fill('POST /v1/subscriptions')],
    })
  })

  it('adds the two calls that find the coupon of a cart, and reserves it in the transaction of the claim', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const { id, code } = await stack.newCoupon()
    const token = await stack.token()
    const calls = await countCalls(() =>
      stack.checkoutWith(token, organizationId, ['base_ota'], { card, coupon: code }),
    )
    expect(calls).toEqual({
      dynamoDb: ['BatchGetItem', 'TransactWriteItems', settle],
      stripe: [`GET /v1/coupons/${id}`, 'GET /v1/promotion_codes', nextCharge, 'POST /v1/subscriptions'],
    })
  })

  it('adds the calls that create and bind the customer of a first buyer', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    const { id, code } = await stack.newCoupon({ percent_off: 100 })
    const token = await stack.token()
    const calls = await countCalls(() => stack.checkoutWith(token, organizationId, ['base_ota'], { coupon: code }))
    expect(calls).toEqual({
      dynamoDb: ['BatchGetItem', 'GetItem', 'TransactWriteItems', settle, 'UpdateItem', 'UpdateItem'],
      stripe: [
        `GET /v1/coupons/${id}`,
        'GET /v1/promotion_codes',
        'POST /v1/customers',
        nextCharge,
        'POST /v1/subscriptions',
      ],
    })
  })

  it('adds the fetch of the payment that needs 3-D Secure', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard('pm_card_authenticationRequired')
    const token = await stack.token()
    const calls = await countCalls(() => stack.checkoutWith(token, organizationId, ['base_ota'], { card }))
    expect(calls).toEqual({
      dynamoDb: ['BatchGetItem', claim, readAgain, 'TransactWriteItems'],
      stripe: ['GET /v1/payment_intents/:id', 'POST /v1/subscriptions'],
    })
  })

  it('makes one read alone for a cart that is already subscribed', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    const token = await stack.token()
    const calls = await countCalls(() => stack.checkoutWith(token, organizationId, ['base_ota'], { card }))
    expect(calls).toEqual({ dynamoDb: ['BatchGetItem'], stripe: [] })
  })

  it('makes as many calls as for a new purchase when one is sent again, and the fetch of the replayed subscription', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithUnknownPurchase()
    const token = await stack.token()
    const again = () => stack.checkoutWith(token, organizationId, ['base_ota'], { card })
    const calls = await countCalls(again, { holdEarlier: true })
    expect(calls).toEqual({
      dynamoDb: ['BatchGetItem', claim, readAgain, settle],
      stripe: ['GET /v1/subscriptions/:id', nextCharge, 'POST /v1/subscriptions'],
    })
  })
})

describe('POST /api/billing/cancel', () => {
  it('makes one read, one call to Stripe and one write', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    const path = `/api/billing/cancel?organization_id=${organizationId}`
    const token = await stack.token()
    const calls = await countCalls(() =>
      stack.client.send({ method: 'POST', path, token, body: { product: 'ota', at_period_end: false } }),
    )
    expect(calls).toEqual({ dynamoDb: ['BatchGetItem', settle], stripe: ['DELETE /v1/subscriptions/:id'] })
  })
})

describe('POST /api/billing/card-gateway/setup-intent', () => {
  it('makes one read and one call to Stripe for a known customer', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    const path = `/api/billing/card-gateway/setup-intent?organization_id=${organizationId}`
    const token = await stack.token()
    const calls = await countCalls(() => stack.client.send({ method: 'POST', path, token }))
    expect(calls).toEqual({ dynamoDb: ['BatchGetItem'], stripe: ['POST /v1/setup_intents'] })
  })
})

describe('GET /api/billing/entitlements', () => {
  it('makes one read', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    const token = await stack.token()
    const path = `/api/billing/entitlements?organization_id=${organizationId}`
    const calls = await countCalls(() => stack.client.send({ method: 'GET', path, token }))
    expect(calls).toEqual({ dynamoDb: ['BatchGetItem'], stripe: [] })
  })
})
