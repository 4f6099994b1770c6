import type { ActName } from './scheduleActs.ts'

/** A story's world, and what is done there at the same time. */
export interface Setting {
  story: string
  /** Every two of these are played side by side, an act beside itself included. */
  names: readonly ActName[]
  /** Every three of these. */
  three: readonly ActName[]
}

/**
 * The worlds in which acts are played side by side. An act that ends at its first call there is left out. Three at a time
 * are those that touch one slot or one coupon: of whole carts and of purchases that meet nowhere there are too many orders.
 */
export const settings: readonly Setting[] = [
  {
    story: 'checkout with a coupon',
    names: [
      'a purchase',
      'a purchase with a coupon',
      'a purchase of another product with the coupon',
      'a cart of both products',
      'a card',
      'a cancellation',
      'a webhook',
      'another webhook',
    ],
    three: ['a purchase with a coupon', 'a purchase of another product with the coupon', 'a webhook'],
  },
  {
    story: 'checkout of a first buyer',
    names: ['a purchase', 'the purchase of the story', 'a purchase of another product', 'a card', 'a webhook'],
    three: ['the purchase of the story', 'a card', 'a webhook'],
  },
  {
    story: 'checkout with a declined card',
    names: ['a purchase', 'the purchase of the story', 'a purchase of another product with the coupon', 'a webhook'],
    three: ['the purchase of the story', 'a purchase of another product with the coupon', 'a webhook'],
  },
  {
    // A coupon with a limit, whose declined purchase may be paid, canceled or replaced.
    story: 'replacement of a declined purchase for another coupon',
    names: [
      'a purchase',
      'the purchase of the story',
      'a payment',
      'a payment on the page',
      'a cancellation',
      'a cancellation at the end',
      'a webhook',
    ],
    three: ['the purchase of the story', 'a payment on the page', 'a webhook'],
  },
  {
    story: 'checkout with 3-D Secure',
    names: ['a purchase', 'a purchase with a coupon', 'a cancellation', 'a webhook', 'another webhook'],
    three: ['a purchase', 'a cancellation', 'a webhook', 'another webhook'],
  },
  {
    story: 'resume with another card',
    names: [
      'a purchase',
      'the purchase of the story',
      'a purchase of another product',
      'a cancellation',
      'a cancellation at the end',
      'a webhook',
    ],
    three: ['the purchase of the story', 'a cancellation', 'a webhook'],
  },
  {
    story: 'cancel now',
    names: [
      'a purchase of another product',
      'a cancellation',
      'a cancellation at the end',
      'a webhook',
      'another webhook',
    ],
    three: ['a cancellation', 'a cancellation at the end', 'a webhook'],
  },
  {
    story: 'cancel at the end of the period under a schedule',
    names: ['a resumption', 'a cancellation', 'a cancellation at the end', 'a webhook'],
    three: [],
  },
  {
    story: 'resume of a canceled subscription',
    names: ['a resumption', 'a cancellation', 'a cancellation at the end', 'a webhook'],
    three: ['a resumption', 'a cancellation at the end', 'a webhook'],
  },
  {
    story: 'payment of a renewal that was declined',
    names: ['a payment', 'a cancellation', 'a webhook'],
    three: [],
  },
  {
    // An invoice that is open while its subscription ends.
    story: 'cancel of a past-due subscription at the end of its period',
    names: ['a payment', 'a payment on the page', 'a cancellation at the end', 'a webhook'],
    three: [],
  },
  {
    story: 'cancel of a past-due subscription now',
    names: ['a payment', 'a payment on the page', 'a cancellation', 'a webhook'],
    three: [],
  },
  {
    story: 'choice of a default card',
    names: [
      'the purchase of the story',
      'a choice of the first card',
      'a purchase of another product',
      'a removal of the card',
    ],
    three: [],
  },
  {
    story: 'removal of the default card',
    names: ['a purchase', 'a purchase with a coupon', 'a removal of the default card', 'a choice of the first card'],
    three: [],
  },
  {
    story: 'webhooks of a purchase that crashed after it was sent',
    names: [
      'a purchase',
      'a purchase with a coupon',
      'a purchase of another product with the coupon',
      'a cancellation',
      'a sweep',
      'a webhook',
      'another webhook',
    ],
    three: ['a purchase', 'a sweep', 'a webhook'],
  },
  {
    story: 'webhooks of a subscription that the gateway ended',
    names: [
      'a purchase',
      'a purchase of another product with the coupon',
      'a cancellation',
      'a cancellation at the end',
      'a webhook',
      'another webhook',
    ],
    three: ['a purchase', 'a purchase of another product with the coupon', 'a cancellation', 'a webhook'],
  },
  {
    story: 'webhook of a deleted customer who holds no slot',
    names: ['a purchase', 'a purchase of another product', 'a card', 'the webhook of the deletion'],
    three: ['a purchase', 'the webhook of the deletion'],
  },
  {
    story: 'webhook of a deleted customer with a purchase that was never sent',
    names: ['a purchase', 'a card', 'a sweep', 'the webhook of the deletion'],
    three: ['a purchase', 'a sweep', 'the webhook of the deletion'],
  },
  {
    story: 'webhook of the first card set up',
    names: ['a purchase', 'a purchase of another product', 'a card', 'a webhook'],
    three: ['a purchase', 'a card', 'a webhook'],
  },
  {
    story: 'removal of the default card beside another that has paid',
    names: [
      'a removal of the default card',
      'a removal of the card',
      'a choice of the last card',
      'a purchase of a third product',
      'a cancellation',
    ],
    three: [],
  },
  {
    story: 'webhooks of the first payment beside a card that never paid',
    names: [
      'a choice of the first card',
      'a choice of the last card',
      'a removal of the card',
      'a webhook',
      'another webhook',
    ],
    three: [],
  },
  {
    story: 'webhook of the first card set up beside a subscription',
    names: ['a choice of the first card', 'a choice of the last card', 'a removal of the card', 'a webhook'],
    three: ['a choice of the first card', 'a choice of the last card', 'a webhook'],
  },
]

/** The same for an organization that is sent invoices, where its purchases, ends and payments differ from those by card. */
export const settingsByInvoice: readonly Setting[] = [
  {
    story: 'checkout with a coupon by invoice',
    names: [
      'a purchase',
      'a purchase with a coupon',
      'a purchase of another product with the coupon',
      'a cancellation',
      'a webhook',
    ],
    three: ['a purchase with a coupon', 'a purchase of another product with the coupon', 'a webhook'],
  },
  {
    story: 'cancel now by invoice',
    names: ['a purchase', 'a cancellation', 'a cancellation at the end', 'a webhook'],
    three: ['a cancellation', 'a cancellation at the end', 'a webhook'],
  },
  {
    story: 'webhooks of a purchase that crashed after it was sent by invoice',
    names: [
      'a purchase',
      'a purchase with a coupon',
      'a purchase of another product with the coupon',
      'a cancellation',
      'a sweep',
      'a webhook',
      'another webhook',
    ],
    three: ['a purchase', 'a sweep', 'a webhook'],
  },
  {
    story: 'sweep of a purchase whose invoice was sent meanwhile by invoice',
    names: ['a purchase', 'a cancellation', 'a sweep', 'a webhook', 'another webhook', 'a payment on the page'],
    three: ['a sweep', 'a webhook', 'a payment on the page'],
  },
  {
    story: 'webhooks of an invoice that was overdue by invoice',
    names: ['a cancellation', 'a cancellation at the end', 'a webhook', 'another webhook', 'a payment on the page'],
    three: ['a cancellation', 'a webhook', 'a payment on the page'],
  },
  {
    story: 'webhooks of an invoice that was never paid by invoice',
    names: ['a purchase', 'a cancellation', 'a webhook', 'another webhook', 'a payment on the page'],
    three: ['a purchase', 'a webhook', 'a payment on the page'],
  },
  {
    // Its first write must be the end of the surplus: a payment before that would be one beside two that are live.
    story: 'webhooks of surplus by invoice',
    names: ['a purchase', 'a webhook', 'another webhook'],
    three: ['a purchase', 'a webhook', 'another webhook'],
  },
  {
    story: 'webhooks of surplus whose removal crashed after its end by invoice',
    names: ['a purchase', 'a webhook', 'another webhook', 'a payment on the page'],
    three: ['a webhook', 'another webhook', 'a payment on the page'],
  },
]

/** The worlds in which a person changes something by hand, and what may run at the same time. */
export const settingsByHand: readonly Pick<Setting, 'story' | 'names'>[] = [
  {
    story: 'checkout with a coupon',
    names: [
      'a purchase',
      'a purchase with a coupon',
      'a cart of both products',
      'a purchase at the price shown',
      'a cart of both products at the prices shown',
    ],
  },
  { story: 'resume with another card', names: ['the purchase of the story', 'a cancellation', 'a webhook'] },
  { story: 'cancel now', names: ['a purchase', 'a cancellation', 'a cancellation at the end', 'a reconciliation'] },
  {
    story: 'webhooks of a purchase that crashed after it was sent',
    names: [
      'a purchase',
      'a purchase at the price shown',
      'a cancellation',
      'a sweep',
      'a webhook',
      'a reconciliation',
    ],
  },
  {
    story: 'webhooks of a subscription that the gateway ended',
    names: ['a purchase', 'a cancellation', 'a webhook', 'a reconciliation'],
  },
]
