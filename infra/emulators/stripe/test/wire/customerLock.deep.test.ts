import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { type Emulator, openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

let emulator: Emulator
beforeEach(async () => {
  emulator = await openEmulator()
  await emulator.control('POST', '/settings', { customer_lock: true, write_ms: 200, customer_lock_wait_ms: 10 })
})
afterEach(() => emulator.close())

const buy = (customer: string, idempotencyKey?: string) =>
  emulator.stripe.subscriptions.create(
    { customer, items: [{ price: emulator.ota }] },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )
const lockTimeout = { statusCode: 429, rawType: 'invalid_request_error', code: 'lock_timeout' }

describe('The lock of a customer', () => {
  it('lets one of four parallel writes through; the others are 429 and execute nothing', async () => {
    // On a busy machine the four arrive far apart.
    await emulator.control('POST', '/settings', { write_ms: 2000 })
    const { id } = await emulator.customerWith('pm_card_visa')
    const answers = await Promise.allSettled([buy(id), buy(id), buy(id), buy(id)])
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    expect(refused).toHaveLength(3)
    for (const error of refused) expect(error).toMatchObject({ statusCode: 429, code: 'lock_timeout' })
    expect((await emulator.stripe.subscriptions.list({ customer: id })).data).toHaveLength(1)
    expect((await emulator.stripe.charges.list({ customer: id })).data).toHaveLength(1)
  })

  it('keeps nothing under the key of a write that it refused', async () => {
    const { id } = await emulator.customerWith('pm_card_visa')
    const [, second] = await Promise.all([buy(id, 'first'), refusal(buy(id, 'second'))])
    expect(second).toMatchObject(lockTimeout)
    expect((await buy(id, 'second')).lastResponse.headers['idempotent-replayed']).toBeUndefined()
  })

  it('is free again when the answer is sent, after a refusal too', async () => {
    const { id } = await emulator.customerWith('pm_card_visa')
    await buy(id)
    await expectRefusal(emulator.stripe.subscriptions.create({ customer: id, items: [{ price: 'x' }] }), {
      code: 'resource_missing',
    })
    expect((await buy(id)).status).toBe('active')
  })

  it('is waited for as long as the settings say', async () => {
    await emulator.control('POST', '/settings', { customer_lock_wait_ms: 5000 })
    const { id } = await emulator.customerWith('pm_card_visa')
    const both = await Promise.all([buy(id), buy(id)])
    expect(both.map(({ status }) => status)).toEqual(['active', 'active'])
  })

  it('holds off writes on any object of the customer, and no read, no replay and no other customer', async () => {
    const { id } = await emulator.customerWith('pm_card_visa')
    const other = await emulator.customerWith('pm_card_visa')
    const first = await buy(id, 'k')
    const paid = String(first.latest_invoice)
    const { stripe } = emulator
    await emulator.control('POST', '/settings', { write_ms: 500 })
    const slow = buy(id)
    await new Promise((resolve) => setTimeout(resolve, 15))
    const writes: (() => Promise<unknown>)[] = [
      () => stripe.customers.update(id, { name: 'A' }),
      () => stripe.subscriptions.update(first.id, { metadata: { a: '1' } }),
      () => stripe.subscriptions.cancel(first.id),
      () => stripe.invoices.pay(paid),
      () => stripe.setupIntents.create({ customer: id }),
      () => stripe.subscriptionItems.update(first.items.data[0]?.id ?? '', { quantity: 2 }),
    ]
    expect(await Promise.all(writes.map((write) => refusal(write())))).toEqual(
      writes.map(() => expect.objectContaining(lockTimeout)),
    )
    expect((await stripe.subscriptions.list({ customer: id })).data).toHaveLength(2)
    expect((await buy(id, 'k')).id).toBe(first.id)
    expect((await buy(other.id)).status).toBe('active')
    expect((await slow).status).toBe('active')
  })

  it('answers 409 while a call under the same key holds it', async () => {
    const { id } = await emulator.customerWith('pm_card_visa')
    const [, second] = await Promise.all([buy(id, 'same'), refusal(buy(id, 'same'))])
    expect(second).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
  })

  it('is off until the settings turn it on', async () => {
    await emulator.control('POST', '/reset')
    const { id } = await emulator.customerWith('pm_card_visa')
    const both: Stripe.Subscription[] = await Promise.all([buy(id), buy(id)])
    expect(both.map(({ status }) => status)).toEqual(['active', 'active'])
  })
})
