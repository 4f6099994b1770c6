import type Stripe from 'stripe'
import type { StripeServerOptions } from '../../server/startStripeServer.ts'
import { openEmulator } from './openEmulator.ts'

export const hour = 3600
export const day = 24 * hour

/** Opens an emulator whose clock is still until it is advanced, with a customer who has no card, and helpers for subscriptions whose invoices are sent, due after 14 days. */
export async function openInvoiced(settings: StripeServerOptions['settings'] = {}) {
  const opened = Date.now() / 1000
  const emulator = await openEmulator({ settings, now: () => opened })
  const { stripe } = emulator
  const { id: customer } = await stripe.customers.create({ name: 'Ada', email: 'ada@example.com' })
  const terms = { collection_method: 'send_invoice', days_until_due: 14 } as const

  const buy = (more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    emulator.subscribe(customer, { ...terms, ...more })

  return {
    ...emulator,
    customer,
    latest: emulator.newestInvoice,
    buy,
    /** A new subscription, and its first invoice an hour later: open and sent. */
    async buyAndOpen(more: Partial<Stripe.SubscriptionCreateParams> = {}) {
      const { id } = await buy(more)
      await emulator.advance(hour)
      return { id, invoice: await emulator.newestInvoice(id) }
    },
    /** Types of the events since `seen` were there. */
    eventsSince: async (seen: number) => (await emulator.eventTypes()).slice(seen),
  }
}

export type Invoiced = Awaited<ReturnType<typeof openInvoiced>>
