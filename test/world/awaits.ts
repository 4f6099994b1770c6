const claimAndSend = ['cipher.decrypt#1', 'records.commit#1', 'gateway.createSubscription#1', 'records.commit#2']
const newCustomer = ['gateway.createCustomer#1', 'cipher.encrypt#1', 'records.bindCustomer#1']
const projected = ['records.readSlot#1', 'gateway.fetchSubscription#1', 'records.commit#1']

/**
 * Every await of every story when nothing fails, in order. A new one fails the fault matrix until it is named here, and from
 * then on has its faults; so a round trip cannot be added unseen.
 */
export const awaitsOf: Readonly<Record<string, readonly string[]>> = {
  'checkout of a returning buyer': ['records.read#1', 'gateway.prices#1', ...claimAndSend],
  'checkout of a first buyer': [
    'records.read#1',
    'gateway.prices#1',
    'gateway.findCoupon#1',
    'records.commit#1',
    ...newCustomer,
    'gateway.createSubscription#1',
    'records.commit#2',
  ],
  'checkout of a first buyer without a card': [
    'records.read#1',
    'gateway.prices#1',
    'records.commit#1',
    ...newCustomer,
    'gateway.createSubscription#1',
    'records.commit#2',
  ],
  'checkout with a coupon': ['records.read#1', 'gateway.prices#1', 'gateway.findCoupon#1', ...claimAndSend],
  'checkout with 3-D Secure': ['records.read#1', 'gateway.prices#1', ...claimAndSend],
  'checkout with a declined card': [
    'records.read#1',
    'gateway.prices#1',
    'gateway.findCoupon#1',
    'cipher.decrypt#1',
    'records.commit#1',
    'gateway.createSubscription#1',
    'gateway.cancelNow#1',
    'records.commit#2',
  ],
  'resume with another card': [
    'records.read#1',
    'gateway.prices#1',
    'gateway.findCoupon#1',
    'gateway.fetchSubscription#1',
    'records.commit#1',
    'gateway.payInvoice#1',
    'gateway.fetchSubscription#2',
    'records.commit#2',
  ],
  'cancel now': ['records.read#1', 'gateway.cancelNow#1', 'records.commit#1'],
  'cancel at the end of the period': ['records.read#1', 'gateway.cancelAtPeriodEnd#1', 'records.commit#1'],
  'setup intent of a first buyer': ['records.read#1', ...newCustomer, 'gateway.createSetupIntent#1'],
  'webhooks of a purchase that crashed after it was sent': [...projected, ...projected, ...projected],
  'webhooks of a subscription that the gateway ended': projected,
}
