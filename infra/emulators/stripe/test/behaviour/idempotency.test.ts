import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { refusal } from '../support/refusal.ts'
import { goodCard, openTestAccount } from './openTestAccount.ts'
import type { TestAccount } from './testAccount.ts'

let account: TestAccount
beforeAll(async () => {
  account = await openTestAccount()
})
afterAll(() => account.close())

async function buyer(card = goodCard) {
  const { id: customer } = await account.customerWith(card)
  return { customer, items: [{ price: account.prices.paid }] }
}

describe('Idempotency-Key', () => {
  it('replays the same subscription, marked as replayed, and charges nothing more', async () => {
    const params = await buyer()
    const key = { idempotencyKey: account.unique('replay') }
    const first = await account.stripe.subscriptions.create(params, key)
    const second = await account.stripe.subscriptions.create(params, key)
    expect(second.id).toBe(first.id)
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect((await account.stripe.subscriptions.list({ customer: params.customer })).data).toHaveLength(1)
  })

  it('refuses other parameters under the same key', async () => {
    const params = await buyer()
    const key = { idempotencyKey: account.unique('mismatch') }
    await account.stripe.subscriptions.create(params, key)
    const other = { ...params, metadata: { other: 'yes' } }
    expect(await refusal(account.stripe.subscriptions.create(other, key))).toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    })
  })

  it('replays a 402 without charging again', async () => {
    const params = { ...(await buyer('pm_card_chargeCustomerFail')), payment_behavior: 'error_if_incomplete' as const }
    const key = { idempotencyKey: account.unique('declined') }
    const first = await refusal(account.stripe.subscriptions.create(params, key))
    const second = await refusal(account.stripe.subscriptions.create(params, key))
    expect([first.statusCode, second.statusCode, second.code]).toEqual([402, 402, 'card_declined'])
    expect(second.headers?.['idempotent-replayed']).toBe('true')
  })

  it('does not keep a request that failed validation', async () => {
    const params = await buyer()
    const key = { idempotencyKey: account.unique('invalid') }
    const invalid = { ...params, frequency: 'often' }
    expect(await refusal(account.stripe.subscriptions.create(invalid, key))).toMatchObject({
      code: 'parameter_unknown',
    })
    expect((await account.stripe.subscriptions.create(params, key)).status).toBe('active')
  })
})
