import Stripe from 'stripe'
import { fillCatalog } from '../../core/fillCatalog.ts'
import { type StripeServerOptions, startStripeServer } from '../../server/startStripeServer.ts'

/** The secret key of the emulators in these tests. */
export const secretKey = 'sk_test_emulator'

const monthly = { currency: 'usd', interval: 'month' } as const

/** Opens an emulator with a small catalog, the real SDK for it, and its controls. */
export async function openEmulator(options: Partial<StripeServerOptions> = {}) {
  const server = await startStripeServer({
    secretKey,
    seed: (core) =>
      fillCatalog(core, {
        products: [
          { id: 'prod_ota', name: 'OTA', price: { lookup_key: 'base_ota', unit_amount: 4900, ...monthly } },
          { id: 'prod_free', name: 'Free', price: { lookup_key: 'free', unit_amount: 0, ...monthly } },
        ],
        coupons: [
          { id: 'HALF', percent_off: 50, duration: 'once' },
          { id: 'ALL', percent_off: 100, duration: 'forever' },
        ],
        promotionCodes: [{ code: 'WELCOME', coupon: 'HALF' }],
      }),
    ...options,
  })
  const { hostname, port } = new URL(server.apiBase)
  const stripe = new Stripe(secretKey, {
    protocol: 'http',
    host: hostname,
    port,
    telemetry: false,
    maxNetworkRetries: 0,
  })

  async function control(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${server.apiBase}/_emulator${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    return response.json()
  }

  const prices = await stripe.prices.list({ limit: 100 })
  const price = (lookupKey: string) => prices.data.find((row) => row.lookup_key === lookupKey)?.id ?? 'missing'

  /** A customer whose default card is the given test card. */
  const customerWith = (card: string, more: Stripe.CustomerCreateParams = {}) =>
    stripe.customers.create({ payment_method: card, invoice_settings: { default_payment_method: card }, ...more })

  /** Makes another test card the default of a customer. Returns the id of its payment method. */
  async function replaceCard(customer: string, card: string): Promise<string> {
    const { id } = await stripe.paymentMethods.attach(card, { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
    return id
  }

  /** A price of a month in dollars. */
  const newPrice = (unit_amount: number, more: Partial<Stripe.PriceCreateParams> = {}) =>
    stripe.prices.create({
      product: 'prod_ota',
      unit_amount,
      currency: 'usd',
      recurring: { interval: 'month' },
      ...more,
    })

  /** The newest invoice of a subscription, its payments expanded. */
  async function newestInvoice(subscription: string): Promise<Stripe.Invoice> {
    const [invoice] = (await stripe.invoices.list({ subscription, limit: 1, expand: ['data.payments'] })).data
    if (invoice === undefined) throw new Error(`${subscription} has no invoice`)
    return invoice
  }

  /** A subscription of a customer to the paid price. */
  const subscribe = (customer: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    stripe.subscriptions.create({ customer, items: [{ price: price('base_ota') }], ...more })

  /** A subscription of a new customer with this default card, its first invoice and payment expanded. */
  async function buy(card = 'pm_card_visa', more: Partial<Stripe.SubscriptionCreateParams> = {}) {
    return subscribe((await customerWith(card)).id, { expand: withPayment, ...more })
  }

  return {
    ...server,
    stripe,
    control,
    buy,
    subscribe,
    newPrice,
    newestInvoice,
    replaceCard,
    statusOf: async (id: string) => (await stripe.subscriptions.retrieve(id)).status,
    ota: price('base_ota'),
    free: price('free'),
    customerWith,
    advance: (seconds: number) => control('POST', '/clock', { advance_seconds: seconds }),
    authenticate: (id: string, outcome: 'succeed' | 'fail') => control('POST', '/authenticate', { id, outcome }),
    eventTypes: async () => (await stripe.events.list({ limit: 100 })).data.map((event) => event.type).reverse(),
  }
}

export type Emulator = Awaited<ReturnType<typeof openEmulator>>

/** The expanded invoice of a subscription. */
export function invoiceOf({ latest_invoice: invoice }: Pick<Stripe.Subscription, 'latest_invoice'>): Stripe.Invoice {
  if (invoice === null || typeof invoice === 'string') throw new Error('expand latest_invoice')
  return invoice
}

/** The PaymentIntent that pays an invoice whose payments are expanded. */
export async function intentOf(stripe: Stripe, invoice: Stripe.Invoice): Promise<Stripe.PaymentIntent> {
  const id = invoice.payments?.data[0]?.payment.payment_intent
  if (typeof id !== 'string') throw new Error('expand payments')
  return stripe.paymentIntents.retrieve(id)
}

/** Expands how the first invoice of a subscription is paid. */
export const withPayment = ['latest_invoice.confirmation_secret', 'latest_invoice.payments']
