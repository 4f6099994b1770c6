import { afterEach, describe, expect, it } from '@jest/globals'
import type { AwsCalls } from '../support/aws/awsCalls.ts'
import { useBillingStack } from '../support/billingStack.ts'
import { buyAfterLease } from './checkout/buyOta.ts'
import { failKms } from './failKms.ts'

const bed = useBillingStack()

/** The number of attempts at a call, by the SDK or, where it does not retry, by the service. */
const EVERY_TRY = 3

const throttled = {
  type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
  message: 'slow down',
}
const conflict = {
  type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  message: 'conflict',
  CancellationReasons: [
    { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
    { Code: 'None' },
  ],
}

/** What a write of one item is answered that a transaction has. */
const conflictOfOne = {
  type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
  message: 'Transaction is ongoing for the item',
}

/** Buys `base_ota` while DynamoDB fails: after what is to be done before a checkout. */
async function buyDuring(fault: Parameters<AwsCalls['fail']>[0]) {
  const { stack } = bed
  const { organizationId, card } = await stack.organizationWithCard()
  const token = await stack.token()
  await stack.emulator.clearRequests()
  stack.dynamoDb.fail(fault)
  return { organizationId, card, answer: await stack.checkoutWith(token, organizationId, ['base_ota'], { card }) }
}

async function subscriptionCalls(): Promise<number> {
  const requests = await bed.stack.emulator.requests()
  return requests.filter(({ method, path }) => method === 'POST' && path === '/v1/subscriptions').length
}

afterEach(async () => {
  const { stack } = bed
  stack.dynamoDb.reset()
  await fetch(`${stack.client.info.kms_endpoint}/_control/faults`, { method: 'DELETE' })
  expect(await stack.emulator.violations()).toEqual([])
})

describe('POST /api/billing/checkout', () => {
  describe('Given a DynamoDB that fails', () => {
    // [catch claimLines.writeClaim readCart.readCart]
    it.each([
      ['the read', 'BatchGetItem', throttled],
      ['the claim, throttled', 'PutItem', throttled],
      ['the claim, in conflict with a transaction', 'PutItem', conflictOfOne],
    ])(
      'answers 503 and sends no purchase where %s fails, and buys when the cart is sent again',
      async (_, operation, error) => {
        const { stack } = bed
        const fault = { operation, times: EVERY_TRY, kind: 'error', error, status: 400 } as const
        const { organizationId, card, answer } = await buyDuring(fault)
        expect(answer).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'], retryAfter: '5' })
        expect(await subscriptionCalls()).toBe(0)
        expect(await stack.slot(organizationId)).toBeUndefined()
        expect(await stack.checkout(organizationId, ['base_ota'], { card })).toMatchObject({
          outcomes: ['bought active'],
        })
      },
    )

    // [catch claimLines.giveBackOutdated readItems.readTransaction]
    it.each([
      ['throttled', throttled],
      ['in conflict with another transaction', conflict],
    ])('answers 503, gives the claim back and sends no purchase where its second read is %s', async (_, error) => {
      const { stack } = bed
      const fault = { operation: 'TransactGetItems', times: EVERY_TRY, kind: 'error', error, status: 400 } as const
      const { organizationId, card, answer } = await buyDuring(fault)
      expect(answer).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'], retryAfter: '5' })
      expect(await subscriptionCalls()).toBe(0)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'none', n: 1 })
      expect(await stack.checkout(organizationId, ['base_ota'], { card })).toMatchObject({
        outcomes: ['bought active'],
      })
    })

    it.each([
      ['PutItem', conflictOfOne],
      ['TransactGetItems', conflict],
      ['TransactWriteItems', conflict],
    ])('answers 201 where a transaction conflict of %s ends during the retries', async (operation, error) => {
      const { answer } = await buyDuring({ operation, times: 2, kind: 'error', error, status: 400 })
      expect(answer).toMatchObject({ status: 201 })
    })

    it('answers 201 where the acknowledgement of its claim is lost', async () => {
      const { stack } = bed
      const { organizationId, answer } = await buyDuring({ operation: 'PutItem', times: 1, kind: 'drop_after' })
      expect(answer).toMatchObject({ status: 201 })
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 1, rev: 2 })
    })

    it('answers 503 and leaves the purchase pending where it cannot be settled, and settles it when the cart is sent again', async () => {
      const { stack } = bed
      // The delay leaves time to fail the settling write alone.
      const { organizationId, card, answer } = await stack.organizationWithPendingPurchase(1000)
      stack.dynamoDb.fail({
        operation: 'TransactWriteItems',
        times: EVERY_TRY,
        kind: 'error',
        error: throttled,
        status: 400,
      })
      expect(await answer).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'] })
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'pending', n: 1 })

      await buyAfterLease(stack, organizationId, card)
      expect(await stack.charges(organizationId)).toBe(1)
      await stack.emulator.webhooks('deliver')
    })

    it('answers already_subscribed once the webhook has settled a purchase with an unknown outcome', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
      await stack.emulator.webhooks('hold')
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_after', times: 2 })
      const lost = await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
      expect(lost.outcomes).toEqual(['gateway_unavailable'])
      await stack.emulator.flush()
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 1 })
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED' }])
      expect(await stack.checkout(organizationId, ['base_ota'], { card })).toMatchObject({
        outcomes: ['already_subscribed'],
      })
      await stack.emulator.webhooks('deliver')
    })
  })

  describe('Given a KMS that is unavailable', () => {
    // [catch customer.orUnknown]
    it('answers 503, releases claim and coupon, and sends no purchase', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
      const token = await stack.token()
      await stack.emulator.clearRequests()
      await failKms(stack, 'Decrypt')
      const failed = await stack.checkoutWith(token, organizationId, ['base_ota'], { card, coupon: code })
      expect(failed).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'] })
      expect(await subscriptionCalls()).toBe(0)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'none', n: 1 })
      expect(await stack.redemptions(id)).toEqual([])
      expect(await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })).toMatchObject({
        outcomes: ['bought active'],
      })
    })

    it('answers 503 and keeps an earlier purchase pending, and buys once when the cart is sent again', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithUnknownPurchase()
      const token = await stack.token()
      await failKms(stack, 'Decrypt')
      const failed = await stack.checkoutWith(token, organizationId, ['base_ota'], { card })
      expect(failed).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'] })
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'pending', n: 1 })
      expect(await stack.checkout(organizationId, ['base_ota'], { card })).toMatchObject({
        outcomes: ['bought active'],
      })
      expect(await stack.charges(organizationId)).toBe(1)
      await stack.emulator.webhooks('deliver')
    })
  })
})
