import type Stripe from 'stripe'
import type { GatewayListing } from '../../billing/gateway/gatewayPorts.ts'
import type { ListedSubscription, PaymentOutcome } from '../../billing/gateway/subscription.ts'
import type { Logger } from '../../log/logger.ts'
import { createListedMoney } from './listedMoney.ts'
import { readEvent } from './readEvent.ts'
import { readSubscription } from './readSubscription.ts'
import { readTerms, TERMS_EXPANSION } from './readTerms.ts'
import { pageAfter, pageOf } from './stripePage.ts'
import { createGatewayCall } from './wireCall.ts'

/** `GatewayListing` on Stripe's API. */
export function createGatewayListing(stripe: Stripe, logger: Logger): GatewayListing {
  const call = createGatewayCall(logger)
  const expand = ['data.latest_invoice', ...TERMS_EXPANSION]
  return {
    gateway: 'card',

    listSubscriptions: (cursor) =>
      call(
        () => stripe.subscriptions.list({ status: 'all', expand, ...pageAfter(cursor) }),
        (page, coveredUntil) => pageOf(page, (row) => readListed(row, coveredUntil)),
      ),

    listCustomerSubscriptions: (customer) =>
      call(
        () =>
          stripe.subscriptions
            .list({ customer, status: 'all', limit: 100, expand })
            .autoPagingToArray({ limit: 10_000 }),
        (all, coveredUntil) => all.map((row) => readListed(row, coveredUntil)),
      ),

    listCustomers: (cursor) =>
      call(
        () => stripe.customers.list(pageAfter(cursor)),
        (page) => pageOf(page, ({ id, name, email }) => ({ id, hasName: Boolean(name), hasEmail: Boolean(email) })),
      ),

    listUndeliveredEvents: (since, cursor) =>
      call(
        () =>
          stripe.events.list({
            types: ['setup_intent.succeeded', 'customer.deleted'],
            created: { gte: since },
            delivery_success: false,
            ...pageAfter(cursor),
          }),
        (page) => pageOf(page, readEvent),
      ),

    ...createListedMoney(stripe, call),
  }
}

/** No other invoice than the latest is looked at, and no payment. */
function readListed(object: Stripe.Subscription, coveredUntil: number): ListedSubscription {
  const { subscription, openPayment, isLatestOpen } = readSubscription(object, coveredUntil)
  const payment: PaymentOutcome =
    openPayment === 'sent invoices' && isLatestOpen
      ? { kind: 'invoice_open', hostedInvoiceUrl: null }
      : { kind: 'none' }
  return { ...subscription, payment, terms: readTerms(object) }
}
