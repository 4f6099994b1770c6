import {
  awaitsByCard,
  covered,
  coveredOther,
  defaultKept,
  foundRefunded,
  invoiceAnnounced,
  lineAfterLine,
  listed,
  listedWithPaid,
  marked,
  money,
  numbered,
  projected,
  readWithCoupon,
  removedEnded,
  removedSurplus,
  settledForward,
  swept,
} from './awaitsByCard.ts'

/** Before a checkout claims, it asks for what an invoice needs, and for what is owed. */
const asked = ['cipher.decrypt#1', 'gateway.fetchDetails#1', 'gateway.listOwed#1']
const detailed = ['records.read#1', 'gateway.prices#1', ...asked]
const detailedWithCoupon = [...readWithCoupon, ...asked]
const bought = lineAfterLine(1)
const boughtWithCoupon = ['records.commit#1', 'gateway.createSubscription#1', 'records.commit#2']
/** The event of the invoice, and of its subscription, which is active again: nothing else of it is due. */
const settled = [...projected, ...projected]
/** An event of surplus whose invoice was voided already. */
const foundVoided = ['records.readSlot#1', 'records.readSlots#1', 'gateway.fetchSubscription#1']

/** The record is behind, and written in the daily pass. */
const projectedAfter = (pages: readonly string[]) => [
  ...pages,
  ...['records.readSlot#1', 'gateway.fetchSubscription#1', 'records.commit#1'],
  ...numbered('passes.markSeen', 1, 2),
  ...marked,
  ...money,
]

/** The stories that go as they do by card, call by call. */
const asByCard = [
  'cancel now',
  'cancel at the end of the period',
  'cancel at the end of the period under a schedule',
  'resume of a canceled subscription',
  'webhooks of a subscription that the gateway ended',
  'webhook of a deleted customer who holds no slot',
  'webhooks of a deleted customer with a live subscription',
  'webhook of a deleted customer with a purchase that was never sent',
  'sweep of a purchase that was never sent',
  'sweep beside a repeated request',
  'sweep of a purchase whose answer was lost',
  'sweep of a purchase that met a saved 500 and was never made',
  'reconciliation of a subscription that the gateway ended',
].map((name) => [`${name} by invoice`, awaitsByCard[name] ?? []] as const)

/** Every await of every story of an organization that is sent invoices, when nothing fails, in order. */
export const awaitsByInvoice: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(asByCard),
  'checkout of a returning buyer by invoice': [...detailed, ...bought],
  'checkout with a coupon by invoice': [...detailedWithCoupon, ...boughtWithCoupon],
  'takeover within the hour of a purchase that met a saved 500 after it was made by invoice': [
    ...detailedWithCoupon,
    'records.commit#1',
    'records.readTogether#1',
    'gateway.createSubscription#1',
    'gateway.findSubscription#1',
    'records.commit#2',
  ],
  'takeover after a day of a purchase that met a saved 500 and was never made by invoice': [
    ...detailedWithCoupon,
    'records.commit#1',
    'records.readTogether#1',
    'gateway.findSubscription#1',
    ...numbered('records.commit', 2, 3),
    'gateway.createSubscription#1',
    'records.commit#4',
  ],
  'checkout of two products by invoice': [...detailed, ...lineAfterLine(2)],
  'checkout of two products with a coupon by invoice': [...detailedWithCoupon, ...boughtWithCoupon, 'records.commit#3'],
  'checkout of four products by invoice': [...detailed, ...lineAfterLine(4)],
  'checkout without billing details by invoice': detailed,
  'checkout after an end that was not paid by invoice': detailed,
  'checkout after an end that was paid late by invoice': [...detailed, ...bought],
  // Nothing is paid: Stripe has one event less.
  'webhooks of a purchase that crashed after it was sent by invoice': settledForward,
  'webhooks of an invoice that was sent by invoice': projected,
  'webhooks of an invoice that was overdue by invoice': [
    ...projected,
    ...projected,
    ...covered,
    ...covered,
    ...defaultKept,
    ...covered,
  ],
  'webhooks of an invoice that was paid by invoice': [...projected, ...invoiceAnnounced],
  'webhooks of an invoice that was paid outside the gateway after it was overdue by invoice': [
    ...projected,
    ...invoiceAnnounced,
    ...projected,
  ],
  'webhooks of an invoice that was voided by invoice': settled,
  'webhooks of an invoice that was written off by invoice': settled,
  'webhooks of an invoice that was never paid by invoice': [...projected, ...projected, ...covered, ...defaultKept],
  'reconciliation of an invoice that was sent by invoice': projectedAfter(listed),
  'reconciliation of an invoice that was paid by invoice': projectedAfter(listedWithPaid(1)),
  'reconciliation of a purchase whose answer was lost by invoice': [
    ...listedWithPaid(1),
    ...(awaitsByCard['reconciliation of a purchase whose answer was lost'] ?? []).slice(listedWithPaid(2).length),
  ],
  'cancel of an overdue subscription by invoice': awaitsByCard['cancel now'] ?? [],
  'sweep of a purchase whose invoice was sent meanwhile by invoice': [
    ...swept,
    'gateway.findSubscription#1',
    'records.commit#2',
  ],
  'webhooks of surplus by invoice': [...removedSurplus, ...projected, ...foundVoided, ...covered],
  'webhooks of surplus whose removal crashed after its end by invoice': [
    ...removedEnded,
    ...projected,
    ...foundVoided,
    ...covered,
    ...coveredOther,
  ],
  'reconciliation of surplus whose removal crashed after its end by invoice': [
    ...listed,
    // The event of the own invoice has not arrived either.
    ...['records.readSlot#1', 'gateway.fetchSubscription#1', 'records.commit#1'],
    ...['records.readSlot#2', 'gateway.fetchSubscription#2'],
    'gateway.listPaidInvoices#1',
    'gateway.cancelNow#1',
    'gateway.refundSubscription#1',
    ...numbered('passes.markSeen', 1, 2),
    ...marked,
    ...money,
  ],
  'webhooks of surplus that was paid between its end and its voiding by invoice': [
    ...removedEnded,
    'records.addEntry#1',
    ...projected,
    ...foundRefunded,
    ...covered,
    ...coveredOther,
    ...foundRefunded,
    ...invoiceAnnounced,
  ],
}
