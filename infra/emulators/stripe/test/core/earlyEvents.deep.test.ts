import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Emulator, openEmulator } from '../support/openEmulator.ts'

let emulator: Emulator
/** What happened, in order: the answer of the purchase and each event. */
let order: string[]
/** Runs when an event arrives, before it is acknowledged. */
let onEvent: (type: string, body: string) => Promise<void>

beforeEach(async () => {
  order = []
  onEvent = async () => {}
  emulator = await openEmulator({
    async sendWebhook({ type, body }) {
      await onEvent(type, body)
      order.push(type)
      return 200
    },
  })
  emulator.core.registerWebhookEndpoint({
    url: 'http://127.0.0.1:9/events',
    secret: 'whsec_early',
    enabledEvents: ['customer.subscription.created', 'customer.subscription.updated', 'invoice.paid'],
  })
})
afterEach(() => emulator.close())

async function buy() {
  const subscription = await emulator.buy()
  order.push('answer')
  return subscription
}

describe('Events with early_events', () => {
  it('arrive while the call that caused them still runs, and its result can be read', async () => {
    await emulator.control('POST', '/settings', { early_events: true })
    let seen: string | undefined
    onEvent = async (type, body) => {
      if (type !== 'invoice.paid') return
      const id = /"subscription": "(sub_\w+)"/.exec(body)?.[1] ?? ''
      seen = (await emulator.stripe.subscriptions.retrieve(id)).status
    }
    await buy()
    expect(order.at(-1)).toBe('answer')
    const shown = order.slice(0, -1).sort()
    expect(shown).toEqual(['customer.subscription.created', 'customer.subscription.updated', 'invoice.paid'])
    expect(seen).toBe('active')
  })

  it('keep the key of the call in use and its customer locked', async () => {
    await emulator.control('POST', '/settings', { early_events: true, customer_lock: true })
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const create = (idempotencyKey: string) =>
      emulator.stripe.subscriptions.create({ customer, items: [{ price: emulator.ota }] }, { idempotencyKey })
    const codes: (string | undefined)[] = []
    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )
    onEvent = async (type) => {
      if (type === 'invoice.paid') codes.push(await codeOf(create('k')), await codeOf(create('other')))
    }
    await create('k')
    expect(codes).toEqual(['idempotency_key_in_use', 'lock_timeout'])
  })

  it('do not keep the answer back for ever where no one acknowledges them', async () => {
    await emulator.control('POST', '/settings', { early_events: true })
    const { promise, resolve } = Promise.withResolvers<void>()
    onEvent = () => promise
    expect((await buy()).status).toBe('active')
    expect(order).toEqual(['answer'])
    resolve()
  })

  it('are not waited for by a preview, which causes none', async () => {
    await emulator.control('POST', '/settings', { early_events: true })
    const { promise, resolve } = Promise.withResolvers<void>()
    onEvent = () => promise
    const { id: subscription } = await buy()
    const began = Date.now()
    const { total } = await emulator.stripe.invoices.createPreview({ subscription })
    const took = Date.now() - began
    resolve()
    expect(total).toBeGreaterThan(0)
    expect(took).toBeLessThan(1500)
  })

  it('come after the answer without it', async () => {
    onEvent = () => new Promise((resolve) => setTimeout(resolve, 50))
    await buy()
    expect(order[0]).toBe('answer')
  })
})
