import { afterAll, describe, expect, it } from '@jest/globals'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { goodCard, openTestAccount } from './openTestAccount.ts'

const account = await openTestAccount()
const { stripe } = account
afterAll(() => account.close())

async function buyer(card = goodCard) {
  const { id: customer } = await account.customerWith(card)
  return { customer, items: [{ price: account.prices.paid }] }
}

describe('Idempotency-Key', () => {
  it('replays the same subscription, marked as replayed, and charges nothing more', async () => {
    const params = await buyer()
    const key = { idempotencyKey: account.unique('replay') }
    const first = await stripe.subscriptions.create(params, key)
    const second = await stripe.subscriptions.create(params, key)
    expect(second.id).toBe(first.id)
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect((await stripe.subscriptions.list({ customer: params.customer })).data).toHaveLength(1)
  })

  it('refuses other parameters under the same key', async () => {
    const params = await buyer()
    const key = { idempotencyKey: account.unique('mismatch') }
    await stripe.subscriptions.create(params, key)
    const other = { ...params, metadata: { other: 'yes' } }
    await expectRefusal(stripe.subscriptions.create(other, key), { statusCode: 400, type: 'StripeIdempotencyError' })
  })

  it('replays a 402 without charging again', async () => {
    const params = { ...(await buyer('pm_card_chargeCustomerFail')), payment_behavior: 'error_if_incomplete' as const }
    const key = { idempotencyKey: account.unique('declined') }
    const first = await refusal(stripe.subscriptions.create(params, key))
    const second = await refusal(stripe.subscriptions.create(params, key))
    expect([first.statusCode, second.statusCode, second.code]).toEqual([402, 402, 'card_declined'])
    expect(second.headers?.['idempotent-replayed']).toBe('true')
  })

  it('does not keep a request that failed validation', async () => {
    const params = await buyer()
    const key = { idempotencyKey: account.unique('invalid') }
    const invalid = { ...params, frequency: 'often' }
    await expectRefusal(stripe.subscriptions.create(invalid, key), { code: 'parameter_unknown' })
    expect((await stripe.subscriptions.create(params, key)).status).toBe('active')
  })
})
