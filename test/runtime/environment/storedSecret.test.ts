import { describe, expect, it } from '@jest/globals'
import { openStoredSecret } from '../../../lib/adapters/secretsmanager/storedSecret.ts'
import { createStripeClient } from '../../../lib/adapters/stripe/stripeClient.ts'
import { answering } from './answering.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** A store of one secret and a clock, both set by the test. */
async function open(initial = 'sk_old') {
  const store = { value: initial, reads: 0, fails: false, now: 0 }
  const read = async () => {
    store.reads += 1
    if (store.fails) throw new Error('unavailable')
    return store.value
  }
  const clock = { now: () => store.now, sync: async () => {} }
  return { store, secret: await openStoredSecret(read, clock) }
}

describe('A stored secret', () => {
  it('is read once and then used for ten minutes', async () => {
    const { store, secret } = await open()
    store.value = 'sk_new'
    store.now = 10 * MINUTE - 1
    expect([await secret.current(), await secret.current(), store.reads]).toEqual(['sk_old', 'sk_old', 1])
    store.now = 10 * MINUTE
    expect(await Promise.all([secret.current(), secret.current()])).toEqual(['sk_new', 'sk_new'])
    expect(store.reads).toBe(2)
  })

  it('stays in use where it cannot be read again', async () => {
    const { store, secret } = await open()
    store.fails = true
    store.now = 10 * MINUTE
    expect([await secret.current(), await secret.refresh()]).toEqual(['sk_old', null])
  })

  // [asvs 13.3.4]
  it('is read again when it was refused, at most every half minute', async () => {
    const { store, secret } = await open()
    store.value = 'sk_new'
    store.now = 30 * SECOND - 1
    expect([await secret.refresh(), store.reads]).toEqual([null, 1])
    store.now = 30 * SECOND
    expect([await secret.refresh(), await secret.current(), store.reads]).toEqual(['sk_new', 'sk_new', 2])
    expect([await secret.refresh(), store.reads]).toEqual([null, 2])
  })

  it('fails to open where it cannot be read', async () => {
    await expect(
      openStoredSecret(() => Promise.reject(new Error('denied')), { now: () => 0, sync: async () => {} }),
    ).rejects.toThrow('denied')
  })
})

describe('A Stripe client whose key was rotated', () => {
  it('repeats the request with the new key and the same idempotency key, and keeps using that key', async () => {
    const { store, secret } = await open()
    const seen: string[] = []
    await using server = await answering(({ headers }) => {
      seen.push(`${headers.authorization} ${headers['idempotency-key']}`)
      return headers.authorization === 'Bearer sk_new'
        ? { status: 200, body: { id: 'cus_1', object: 'customer' } }
        : { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } }
    })
    const stripe = createStripeClient({ key: secret, apiBase: server.url })
    const create = () => stripe.customers.create({}, { idempotencyKey: 'cus:1' })
    await expect(create()).rejects.toMatchObject({ statusCode: 401 })
    store.value = 'sk_new'
    store.now = MINUTE
    await expect(create()).resolves.toMatchObject({ id: 'cus_1' })
    await create()
    expect(seen).toEqual(['sk_old', 'sk_old', 'sk_new', 'sk_new'].map((key) => `Bearer ${key} cus:1`))
  })

  it('sends nothing while the key cannot be read, and goes on once it can', async () => {
    let isReadable = false
    const current = async () => {
      if (!isReadable) throw new Error('denied')
      return 'sk_new'
    }
    const sent: (string | undefined)[] = []
    await using server = await answering(({ headers }) => {
      sent.push(headers.authorization)
      return { status: 200, body: { id: 'cus_1', object: 'customer' } }
    })
    const stripe = createStripeClient({ key: { current, refresh: async () => null }, apiBase: server.url })
    await expect(stripe.customers.create({})).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect(sent).toEqual([])
    isReadable = true
    await expect(stripe.customers.create({})).resolves.toMatchObject({ id: 'cus_1' })
    expect(sent).toEqual(['Bearer sk_new'])
  })
})
