import type { CheckoutLine } from '../../app/types.ts'

/** The order and its results. */
export const orders = {
  title: 'Your order',
  empty: 'Nothing in it yet. Add a product to see what it costs.',
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
  },
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
  missingDetails: { name: 'a name', email: 'an email address', address: 'an address' },
  fillIn: 'Fill in billing details',
  bought: 'Bought',
  boughtNames: (names: string) => `Bought: ${names}`,
  confirming: 'Waiting for your bank’s confirmation',
  unconfirmed: (problem: string) => `${problem} You can pay it under “Your subscriptions”.`,
  /** Why a line was not bought. */
  refusals: {
    unknown_plan: 'This product is not sold any more.',
    already_subscribed: 'Your organization has this already.',
    checkout_in_progress: 'A purchase of this product is being finished. Try again in a moment.',
    coupon_already_redeemed: 'The coupon works once, and was used. Remove it to buy at the full price.',
    coupon_invalid: 'The coupon is unknown, expired, or not for this product.',
    payment_method_required: 'Choose a card to pay with.',
    payment_method_invalid: 'This card cannot be used any more. Choose another one.',
    billing_details_required: 'Fill in name, email and address under Billing details first.',
    gateway_refused: 'The payment provider refused this purchase. Nothing was charged.',
    gateway_unavailable: 'We do not know yet whether this went through. Try again: you are never charged twice.',
    organization_deleting: 'This organization is being deleted. An owner can restore it in its settings.',
  } satisfies Record<Exclude<Extract<CheckoutLine, { ok: false }>['error'], 'card_declined'>, string>,
  /** @param reason the API's sentence, in English */
  declined: (reason: string) => `${reason}. Nothing was charged.`,
  couponUsedByAnother: 'The coupon is for one product. Buy this one next, at the full price.',
  notBought: 'This was not bought. Nothing was charged.',
}
