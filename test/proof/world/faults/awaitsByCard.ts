export const readWithCoupon = ['records.read#1', 'gateway.prices#1', 'gateway.findCoupon#1']
const send = ['gateway.createSubscription#1', 'records.commit#2']
/** A claim by itself, which is read again with the account before it is sent. */
const claimAndSend = ['cipher.decrypt#1', 'records.commit#1', 'records.readTogether#1', ...send]
/** A claim in a transaction with its coupon, which checks the account as well. */
const claimWithCoupon = ['cipher.decrypt#1', 'records.commit#1', ...send]
const newCustomer = [
  'users.find#1',
  'records.freezeCustomer#1',
  'gateway.createCustomer#1',
  'cipher.encrypt#1',
  'records.bindCustomer#1',
]
const forgotten = ['records.readAccount#1', 'records.unbindCustomer#1']
/** What follows from the event of a paid invoice, whoever pays it. */
export const invoiceAnnounced = ['records.readAccount#1', 'gateway.fetchInvoice#1', 'records.announce#1']
export const swept = ['slots.listPending#1', 'records.readSlot#1', 'records.commit#1', 'cipher.decrypt#1']
export const projected = ['records.readSlot#1', 'gateway.fetchSubscription#1', 'records.commit#1']
export const listed = listedWithPaid(0)
/** The same if events of so many paid invoices were not delivered. */
export function listedWithPaid(invoices: number): string[] {
  const numbers = Array.from({ length: invoices }, (_, index) => index + 1)
  const announced = numbers.flatMap((number) => invoiceAnnounced.map((name) => name.replace('#1', `#${number}`)))
  return [
    ...['passes.readPass#1', 'listing.listUndeliveredEvents#1', ...announced, 'passes.writePass#1'],
    ...['listing.listSubscriptions#1', 'gateway.prices#1', 'passes.readSlots#1'],
  ]
}
export const marked = ['passes.writePass#2', 'passes.listHeld#1']
export const money = [
  'passes.writePass#3',
  'listing.listReversals#1',
  'passes.writePass#4',
  'listing.listReversals#2',
  'passes.writePass#5',
  'listing.listOverdue#1',
  'passes.writePass#6',
]
/** A payment of what is open. */
const paid = [
  'gateway.fetchSubscription#1',
  'records.commit#1',
  'gateway.payInvoice#1',
  'gateway.fetchSubscription#2',
  'records.commit#2',
]
/** An event that is covered already. */
export const covered = ['records.readSlot#1']
/** What follows the event of a paid invoice if a person chose the default card. */
export const defaultKept = [...invoiceAnnounced, 'gateway.fetchDefaultCard#1']
/** An event of a subscription that the slot does not have, covered already. */
export const coveredOther = ['records.readSlot#1', 'records.readSlots#1']
/** The event by which the slot gets its subscription. */
export const settledForward = [...coveredOther, 'gateway.fetchSubscription#1', 'records.commit#1']
/** An event of surplus that was refunded already. */
export const foundRefunded = [
  'records.readSlot#1',
  'records.readSlots#1',
  'gateway.fetchSubscription#1',
  'gateway.listPaidInvoices#1',
  'records.addEntry#1',
]
/** The first event of surplus. */
export const removedSurplus = [
  'records.readSlot#1',
  'records.readSlots#1',
  ...numbered('gateway.fetchSubscription', 1, 2),
  'gateway.listPaidInvoices#1',
  'gateway.countPurchases#1',
  'gateway.cancelNow#1',
  'gateway.refundSubscription#1',
]
/** The first event of surplus that has ended. */
export const removedEnded = [
  'records.readSlot#1',
  'records.readSlots#1',
  'gateway.fetchSubscription#1',
  'gateway.listPaidInvoices#1',
  'gateway.cancelNow#1',
  'gateway.refundSubscription#1',
]
/** What follows the first event of surplus. */
const refundedOnce = [
  'records.addEntry#1',
  ...[...foundRefunded, ...defaultKept, ...foundRefunded],
  ...[...projected, ...covered, ...defaultKept, ...covered],
]
/** The page of the daily pass on which such surplus is. */
const removedInPass = [
  ...listedWithPaid(2),
  'records.readSlot#1',
  'gateway.fetchSubscription#1',
  'gateway.listPaidInvoices#1',
  'gateway.cancelNow#1',
  'gateway.refundSubscription#1',
]
const repaired = ['records.readSlot#1', 'gateway.fetchSubscription#1', 'records.commit#1']

/** A removal of a card until it knows what takes its place. */
const removing = [
  ...['records.read#1', 'cipher.decrypt#1', 'gateway.fetchCard#1', 'records.fenceCards#1'],
  ...['gateway.listPaidCards#1', 'gateway.listOwnCards#1'],
]

/** Every await of every story of an organization that pays by card, when nothing fails, in order. */
export const awaitsByCard: Readonly<Record<string, readonly string[]>> = {
  'checkout of a returning buyer': ['records.read#1', 'gateway.prices#1', ...claimAndSend],
  'checkout of a first buyer': [
    ...readWithCoupon,
    'records.commit#1',
    ...newCustomer,
    'gateway.createSubscription#1',
    'records.commit#2',
  ],
  'checkout of a first buyer without a card': ['records.read#1', 'gateway.prices#1'],
  'checkout with a coupon': [...readWithCoupon, ...claimWithCoupon],
  'checkout with 3-D Secure': ['records.read#1', 'gateway.prices#1', ...claimAndSend],
  'checkout with a declined card': [
    'records.read#1',
    'gateway.prices#1',
    'cipher.decrypt#1',
    'records.commit#1',
    'records.readTogether#1',
    'gateway.createSubscription#1',
    'gateway.cancelNow#1',
    'records.commit#2',
  ],
  'checkout with a limited coupon and a declined card': [...readWithCoupon, ...claimWithCoupon],
  'resume of a declined purchase with its limited coupon': [...readWithCoupon, ...paid],
  'resume of a declined purchase without its limited coupon': ['records.read#1', 'gateway.prices#1', ...paid],
  'replacement of a declined purchase for another coupon': [
    ...readWithCoupon,
    'gateway.fetchSubscription#1',
    'records.isRedeemed#1',
    'gateway.voidInvoice#1',
    'gateway.cancelNow#1',
    'records.commit#1',
    'cipher.decrypt#1',
    'records.commit#2',
    'gateway.createSubscription#1',
    'records.commit#3',
  ],
  'resume with another card': [...readWithCoupon, ...paid],
  'takeover within the hour of a purchase that met a saved 500 after it was made': [
    ...readWithCoupon,
    'cipher.decrypt#1',
    'records.commit#1',
    'records.readTogether#1',
    'gateway.createSubscription#1',
    'gateway.findSubscription#1',
    'records.commit#2',
  ],
  'takeover after a day of a purchase that met a saved 500 and was never made': [
    ...readWithCoupon,
    'cipher.decrypt#1',
    'records.commit#1',
    'records.readTogether#1',
    'gateway.findSubscription#1',
    'records.commit#2',
    'records.commit#3',
    'gateway.createSubscription#1',
    'records.commit#4',
  ],
  'checkout of two products': ['records.read#1', 'gateway.prices#1', 'cipher.decrypt#1', ...lineAfterLine(2)],
  'checkout of two products with a coupon': [...readWithCoupon, ...claimWithCoupon, 'records.commit#3'],
  'checkout of two products with a coupon and a declined card': [
    ...readWithCoupon,
    ...claimWithCoupon,
    'records.commit#3',
  ],
  'checkout of four products': ['records.read#1', 'gateway.prices#1', 'cipher.decrypt#1', ...lineAfterLine(4)],
  'removal of the default card': [
    ...removing,
    'gateway.removeCard#1',
    'records.recordAccountChange#1',
    'records.unfenceCards#1',
  ],
  'removal of the default card beside another that has paid': [
    ...removing,
    'gateway.setDefaultCard#1',
    'records.recordAccountChange#1',
    'gateway.setPaymentMethod#1',
    'gateway.removeCard#1',
    'records.recordAccountChange#2',
    'gateway.fetchDefaultCard#1',
    'records.unfenceCards#1',
  ],
  'cancel now': ['records.read#1', 'gateway.cancelNow#1', 'records.commit#1'],
  'cancel at the end of the period': ['records.read#1', 'gateway.cancelAtPeriodEnd#1', 'records.commit#1'],
  'resume of a canceled subscription': ['records.read#1', 'gateway.resumeSubscription#1', 'records.commit#1'],
  'payment of a purchase with another card': ['records.read#1', ...paid],
  'payment of a renewal that was declined': ['records.read#1', ...paid],
  'choice of a default card': [
    'records.read#1',
    'cipher.decrypt#1',
    'gateway.fetchCard#1',
    'gateway.setDefaultCard#1',
    'records.recordAccountChange#1',
    'gateway.listOwnCards#1',
    'gateway.setPaymentMethod#1',
    'gateway.fetchDefaultCard#1',
  ],
  'removal of a card that a subscription is paid with': [
    ...removing,
    'gateway.setPaymentMethod#1',
    'gateway.removeCard#1',
    'records.recordAccountChange#1',
    'gateway.fetchDefaultCard#1',
    'records.unfenceCards#1',
  ],
  'webhooks of a purchase that crashed after it was sent': [
    ...settledForward,
    ...projected,
    ...defaultKept,
    ...projected,
  ],
  'webhooks of a subscription that the gateway ended': projected,
  'setup intent of a first buyer': ['records.read#1', ...newCustomer, 'gateway.createSetupIntent#1'],
  'setup intent of a returning buyer': ['records.read#1', 'cipher.decrypt#1', 'gateway.createSetupIntent#1'],
  'webhook of the first card set up': [
    'records.readAccount#1',
    'gateway.fetchDefaultCard#1',
    'gateway.setDefaultCard#1',
    'gateway.listPaidCards#1',
    'records.recordAccountChange#1',
  ],
  'webhook of the first card set up beside a subscription': [
    'records.readAccount#1',
    'gateway.fetchDefaultCard#1',
    'gateway.setDefaultCard#1',
    'gateway.listPaidCards#1',
    'gateway.setDefaultCard#2',
  ],
  'webhooks of the first payment beside a card that never paid': [
    ...projected,
    ...projected,
    ...defaultKept,
    'gateway.listPaidCards#1',
    'gateway.setDefaultCard#1',
    'records.recordAccountChange#1',
    ...projected,
  ],
  'webhook of a deleted customer who holds no slot': forgotten,
  'webhooks of a deleted customer with a live subscription': [...projected, ...forgotten],
  'webhook of a deleted customer with a purchase that was never sent': forgotten,
  'cancel at the end of the period under a schedule': [
    'records.read#1',
    'gateway.cancelAtPeriodEnd#1',
    'records.commit#1',
  ],
  'cancel of a past-due subscription at the end of its period': [
    'records.read#1',
    'gateway.cancelAtPeriodEnd#1',
    'gateway.voidInvoice#1',
    'gateway.cancelNow#1',
    'gateway.refundSubscription#1',
    'records.commit#1',
  ],
  'cancel of a past-due subscription now': [
    'records.read#1',
    'gateway.cancelNow#1',
    'gateway.refundSubscription#1',
    'records.commit#1',
  ],
  'sweep of a purchase that was never sent': [...swept, 'gateway.findSubscription#1', 'records.commit#2'],
  'sweep beside a repeated request': [...swept, 'gateway.findSubscription#1', 'records.commit#2'],
  'sweep of a purchase whose answer was lost': [...swept, 'gateway.findSubscription#1', 'records.commit#2'],
  'sweep of a declined purchase': [...swept, 'gateway.findSubscription#1', 'gateway.cancelNow#1', 'records.commit#2'],
  'sweep of a declined purchase with a limited coupon': [...swept, 'gateway.findSubscription#1', 'records.commit#2'],
  'sweep of a purchase that met a saved 500 and was never made': [
    ...swept,
    'gateway.findSubscription#1',
    'records.commit#2',
  ],
  'sweep of a purchase without a customer': [
    'slots.listPending#1',
    'records.readSlot#1',
    'records.commit#1',
    'records.commit#2',
  ],
  'reconciliation of a purchase whose answer was lost': [
    ...listedWithPaid(2),
    'records.readSlots#1',
    ...repaired,
    'passes.markSeen#1',
    ...marked,
    'gateway.fetchSubscription#2',
    ...money,
  ],
  'reconciliation of a limited coupon whose purchase was canceled unpaid': [
    ...listed,
    'records.readSlot#1',
    'listing.countRedemptions#1',
    'passes.markSeen#1',
    ...marked,
    ...money,
  ],
  'reconciliation of a subscription that the gateway ended': [
    ...listed,
    ...repaired,
    ...numbered('passes.markSeen', 1, 2),
    ...marked,
    ...money,
  ],
  'webhooks of surplus': [...removedSurplus, ...refundedOnce],
  'webhooks of surplus whose removal crashed after its end': [...removedEnded, ...refundedOnce, ...coveredOther],
  'reconciliation of surplus whose removal crashed after its end': [
    ...removedInPass,
    'records.addEntry#1',
    'records.readSlot#2',
    'gateway.listPaidInvoices#2',
    'gateway.fetchSubscription#2',
    ...numbered('passes.markSeen', 1, 2),
    ...marked,
    'passes.writePass#3',
    'listing.listReversals#1',
    'listing.findPaidInvoice#1',
    'gateway.fetchSubscription#3',
    'records.findOrganizations#1',
    'records.readSlots#1',
    'passes.writePass#4',
    'listing.listReversals#2',
    'passes.writePass#5',
    'listing.listOverdue#1',
    'passes.writePass#6',
  ],
}

/** The lines of a cart: claimed at once, read again together, and each sent once the one before is settled. */
export function lineAfterLine(lines: number): string[] {
  const sent = Array.from({ length: lines }, (_, index) => [
    `gateway.createSubscription#${index + 1}`,
    `records.commit#${lines + index + 1}`,
  ])
  return [...numbered('records.commit', 1, lines), 'records.readTogether#1', ...sent.flat()]
}

/** The calls of one method that are made one after the other, or one for each line of a cart. */
export function numbered(method: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${method}#${first + index}`)
}
