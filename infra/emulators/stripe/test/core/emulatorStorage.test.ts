import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { openEmulatorStorage } from '../../server/emulatorStorage.ts'
import { startStripeServer } from '../../server/startStripeServer.ts'

const secretKey = 'sk_test_storage'

let folder: string
let closing: (() => Promise<void>)[]
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'storage-')), 'made')
  closing = []
})
afterEach(async () => {
  for (const close of closing) await close()
  await rm(folder, { recursive: true })
})

/** An emulator on the folder. It is not closed before the test ends, as if it had been killed. */
async function open() {
  const storage = await openEmulatorStorage(folder)
  const { snapshot, changes } = storage
  const { core, apiBase, close } = await startStripeServer({ secretKey, storage, snapshot, changes })
  storage.startWith(() => core.snapshot())
  closing.push(close)
  const { hostname: host, port } = new URL(apiBase)
  const stripe = new Stripe(secretKey, { protocol: 'http', host, port, telemetry: false, maxNetworkRetries: 0 })
  return { core, stripe, storage }
}

describe('The storage of an emulator', () => {
  it('has on disk, before the answer, all that a purchase, a move of the clock and a removal changed', async () => {
    const { core, stripe } = await open()
    const gone = await stripe.coupons.create({ percent_off: 10, duration: 'once' })
    const { id: product } = await stripe.products.create({ name: 'P' })
    const terms = { product, unit_amount: 100, currency: 'usd', recurring: { interval: 'month' as const } }
    const { id: price } = await stripe.prices.create(terms)
    const { id: customer } = await stripe.customers.create({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
    await stripe.subscriptions.create({ customer, items: [{ price }] }, { idempotencyKey: 'k' })
    core.advance(40 * 86_400)
    core.setWebhookMode('hold')
    await stripe.coupons.del(gone.id)
    const again = await open()
    expect(again.core.snapshot()).toEqual(core.snapshot())
    expect((await again.stripe.charges.list()).data).toHaveLength(2)
  })

  it('keeps a reset', async () => {
    const first = await open()
    await first.stripe.customers.create()
    first.core.reset()
    expect((await (await open()).stripe.customers.list()).data).toEqual([])
  })

  it('forgets a change that a crash cut off, and no other', async () => {
    const { stripe } = await open()
    const { id } = await stripe.customers.create()
    await appendFile(join(folder, 'stripe.journal'), '{"offset":0,"rows":[{"kind":"custo')
    expect((await (await open()).stripe.customers.list()).data.map((row) => row.id)).toEqual([id])
  })

  it('refuses a journal that is damaged before its end', async () => {
    const { stripe } = await open()
    await stripe.customers.create()
    await appendFile(join(folder, 'stripe.journal'), '{"cut\n{"offset":0,"rows":[]}\n')
    await expect(openEmulatorStorage(folder)).rejects.toThrow('stripe.journal cannot be read: ')
  })

  it('starts with a snapshot and an empty journal', async () => {
    const { stripe } = await open()
    const { id } = await stripe.customers.create()
    await open()
    expect((await stat(join(folder, 'stripe.journal'))).size).toBe(0)
    expect(await readFile(join(folder, 'stripe.json'), 'utf8')).toContain(id)
  })

  it('takes a new snapshot when the journal has grown long', async () => {
    const { storage } = await open()
    for (let at = 0; at < 20; at += 1) storage.note({ rows: [], filler: 'x'.repeat(1_000_000) })
    await storage.flush()
    expect((await stat(join(folder, 'stripe.journal'))).size).toBe(0)
  })
})
