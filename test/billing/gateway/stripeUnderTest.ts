import Stripe from 'stripe'
import { fillCatalog } from 'stripe-emulator'
import * as z from 'zod'
import { createInvoiceGateway } from '../../../lib/adapters/stripe/invoiceGateway.ts'
import { createPaymentGateway } from '../../../lib/adapters/stripe/paymentGateway.ts'
import { createWebhookVerifier } from '../../../lib/adapters/stripe/webhookVerifier.ts'
import { planCodes } from '../../../lib/billing/catalog.ts'
import type { GatewayName } from '../../../lib/billing/gateway/gatewayName.ts'
import { createWorldStripe } from '../../proof/world/worldStripe.ts'
import { createRandom, createVirtualClock } from '../../proof/world/worldTime.ts'
import { noon } from '../fixtures.ts'
import type { Bank, GatewayUnderTest } from './gatewayUnderTest.ts'

const testCards: Record<Bank, string> = {
  pays: 'pm_card_visa',
  declines: 'pm_card_chargeCustomerFail',
  asks: 'pm_card_authenticationRequired',
}

/** The events that a rule looks at. */
const lookedAt = /"type": "customer\.(subscription\.\w+|deleted)"/

const created = z.looseObject({ id: z.string() })

/** One of the gateways on Stripe's API, on the emulator in this process, with what only a test may do. */
export function openStripe(name: GatewayName = 'card', clock = createVirtualClock(noon * 1000)): GatewayUnderTest {
  const { core, sdk, faultNext, close } = createWorldStripe({ clock, random: createRandom(1), carriedOut: () => {} })
  fillCatalog(core, catalog)
  // What an adapter must find is also what people made by hand, such as two with the same metadata.
  core.control.changeSettings({ one_live_per: [] })
  core.registerWebhookEndpoint({ url: 'http://contract.invalid/', secret: 'whsec_unused', enabledEvents: ['*'] })

  /** Does what a person does in the Dashboard. */
  function byHand(method: 'POST' | 'DELETE', path: string, params: object = {}): string {
    const { status, body } = core.call(method, path, params)
    if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return created.parse(body).id
  }
  const silent = { info: () => {}, warn: () => {}, error: () => {} }
  const settings = { automaticTax: false }
  const card = createPaymentGateway(sdk, clock, silent, settings)
  const gateways = { card, invoice: createInvoiceGateway(sdk, clock, silent, settings, card) }

  /** The invoice of a subscription that is due, finalized. */
  function openInvoice(subscription: string): string | undefined {
    const unpaid = core.control
      .state()
      .invoices.find(
        ({ parent, status }) =>
          parent?.subscription_details?.subscription === subscription && (status === 'draft' || status === 'open'),
      )
    if (unpaid?.status === 'draft') byHand('POST', `/v1/invoices/${unpaid.id}/finalize`)
    return unpaid?.id
  }

  return {
    gateway: gateways[name],
    clock,
    pass(milliseconds) {
      clock.advance(milliseconds)
      core.tick()
    },
    addCard:
      name === 'card'
        ? async (customer, bank) => byHand('POST', `/v1/payment_methods/${testCards[bank]}/attach`, { customer })
        : undefined,
    defaultCardOf(customerId) {
      const customer = core.control.state().customers.find(({ id }) => id === customerId)
      const card = customer?.invoice_settings.default_payment_method
      return typeof card === 'string' ? card : null
    },
    payDue(id) {
      const invoice = openInvoice(id)
      if (invoice === undefined) return
      const { customer = '' } = core.control.state().subscriptions.find((sold) => sold.id === id) ?? {}
      const payment_method = byHand('POST', '/v1/payment_methods/pm_card_visa/attach', { customer })
      byHand('POST', `/v1/invoices/${invoice}/pay`, { payment_method })
    },
    payOutside: (id) => void byHand('POST', `/v1/invoices/${openInvoice(id)}/pay`, { paid_out_of_band: true }),
    renewAsDraft(id) {
      byHand('POST', `/v1/subscriptions/${id}`, { pause_collection: { behavior: 'keep_as_draft' } })
      const sold = core.control.state().subscriptions.find((subscription) => subscription.id === id)
      const ends = sold?.items.data.map((item) => item.current_period_end) ?? []
      clock.advance(Math.min(...ends) * 1000 - clock.now())
      core.tick()
    },
    refunded: () => core.control.state().refunds.reduce((total, { amount }) => total + amount, 0),
    changePrice(planCode, currency = 'usd') {
      const old = core.control.state().prices.find(({ lookup_key }) => lookup_key === planCode)
      if (!old) throw new Error(`${planCode} is not sold`)
      const terms = { product: old.product, unit_amount: 5900, currency, recurring: { interval: 'month' } }
      byHand('POST', '/v1/prices', { ...terms, lookup_key: planCode, transfer_lookup_key: true })
      byHand('POST', `/v1/prices/${old.id}`, { active: false })
    },
    withdrawCoupon: (id) => void byHand('DELETE', `/v1/coupons/${id}`),
    deleteCustomer: (id) => void byHand('DELETE', `/v1/customers/${id}`),
    editReference: (id, n) => void byHand('POST', `/v1/subscriptions/${id}`, { metadata: { n: String(n) } }),
    faultNext: (fault) =>
      faultNext(
        fault === 'not executed'
          ? 'rate limit'
          : {
              async after() {
                throw new TypeError('the answer was lost')
              },
            },
      ),
    verifier: (secrets) => createWebhookVerifier(secrets, clock),
    latestEvent() {
      const webhook = core.pendingWebhooks(true).findLast(({ body }) => lookedAt.test(body))
      if (!webhook) throw new Error('Nothing happened yet')
      return Buffer.from(webhook.body)
    },
    sign: (payload, secret, timestamp) =>
      Stripe.webhooks.generateTestHeaderString({ payload: Buffer.from(payload).toString('utf8'), secret, timestamp }),
    close,
  }
}

const catalog = {
  products: Object.entries(planCodes).map(([product, lookup_key]) => ({
    id: `prod_${product}`,
    name: product,
    price: { lookup_key, unit_amount: 4900, currency: 'usd', interval: 'month' as const },
  })),
  coupons: [
    { id: 'half', percent_off: 50, duration: 'once' },
    { id: 'free', percent_off: 100, duration: 'once' },
    { id: 'only_monitoring', percent_off: 50, duration: 'once', applies_to: { products: ['prod_monitoring'] } },
  ],
  promotionCodes: [{ code: 'HALF', coupon: 'half' }],
}
