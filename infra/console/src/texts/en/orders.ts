import type { CheckoutLine, DetailPath } from '../../app/types.ts'

type Refusal = Extract<CheckoutLine, { ok: false }>['error']

/** The order and its results. */
export const orders = {
  title: 'Your order',
  empty: 'Your order is empty. Add a product to see what it costs.',
  kept: 'Your order is kept.',
  back: 'Back to your order',
  remove: (name: string) => `Remove ${name}`,
  done: 'Done',
  coupon: {
    label: 'Coupon',
    chosen: (code: string) => `Coupon ${code}`,
    add: 'Add a coupon',
    apply: 'Apply',
    remove: 'Remove coupon',
    invalid: 'A coupon has letters, digits and dashes only.',
    discount: (amount: string) => `${amount} off with the coupon`,
    once: (name: string) =>
      `A coupon works once per person and for one product: here for ${name}. Buy the others next, at the full price.`,
  },
  /** On a phone, of an order that is out of sight. */
  bar: (count: number, total: string) => `${count} ${count === 1 ? 'product' : 'products'}, ${total} · Pay`,
  discount: 'Discount',
  tax: 'Tax',
  dueNow: 'Due now',
  invoicedNow: 'Invoiced now',
  buy: 'Buy',
  buyByInvoice: 'Buy by invoice',
  pay: (amount: string) => `Pay ${amount}`,
  chargedHint: 'Charged now and at each renewal. Cancel at any time.',
  invoicedHint: 'Invoiced now and at each renewal. Cancel at any time.',
  missing: (details: string) =>
    `Before you can buy, we need ${details} for your invoices. Your order is kept meanwhile.`,
  missingDetails: {
    name: 'a name',
    email: 'an email address',
    address: 'a valid address',
    whole_address: 'an address',
    'address.line1': 'a street and number',
    'address.city': 'a city',
    'address.country': 'a country',
    'address.postal_code': 'a postal code',
  } satisfies Record<DetailPath | 'whole_address', string>,
  fillIn: 'Fill in billing details',
  bought: 'Bought',
  boughtNames: (names: string) => `Bought: ${names}`,
  confirming: 'Waiting for your bank’s confirmation',
  unconfirmed: (problem: string) => `${problem} You can pay it under “Your subscriptions”.`,
  /** Why a line was not bought. */
  refusals: {
    unknown_plan: 'We no longer sell this product.',
    not_for_sale: 'This product is not available at the moment.',
    price_changed: 'The price has changed. Please check the new total.',
    already_subscribed: 'Your organization already has this product.',
    checkout_in_progress: 'We are still completing a purchase of this product. Try again in a moment.',
    coupon_already_redeemed: 'The coupon works once, and was used. Remove it to buy at the full price.',
    coupon_invalid: 'This coupon is unknown.',
    coupon_expired: 'The coupon has expired or is used up.',
    coupon_not_applicable: 'The coupon does not apply to this purchase.',
    payment_method_required: 'Choose a card to pay with.',
    payment_method_invalid: 'This card can no longer be used. Choose another card.',
    billing_details_required: 'Fill in what is missing under Billing details first.',
    currency_mismatch: 'Your organization pays in another currency. Remove this product from the order.',
    invoice_overdue: 'An invoice of your organization is overdue. Pay it first: you find it under “Invoices”.',
    gateway_refused: 'The payment provider refused this purchase. Nothing was charged.',
    gateway_unavailable: 'We do not know yet whether this went through. Try again: you are never charged twice.',
    organization_deleting: 'This organization is being deleted. An owner can restore it in its settings.',
  } satisfies Record<Exclude<Refusal, 'card_declined'>, string>,
  /** @param reason the API's sentence, in English */
  declined: (reason: string) => `${reason}. Nothing was charged.`,
  couponUsedByAnother: 'The coupon is for one product. Buy this one next, at the full price.',
  notBought: 'This was not bought. Nothing was charged.',
}
