import type { CancellationReason } from '../../app/types.ts'
import { productDescriptions } from './productDescriptions.ts'

const andInvoice = (isOpen: boolean) => (isOpen ? '. An invoice is open.' : '')

/** The organization's products, and those that it can add. */
export const products = {
  title: 'Products',
  lead: (organization: string) => `What ${organization} uses, and what it can add.`,
  invoicesElsewhere: 'Your organization pays invoices by bank transfer. Its owners and billing admins can see them.',
  yours: 'Your subscriptions',
  none: 'No subscriptions yet',
  addBelow: 'Add a product below to your order. You can cancel at any time.',
  buyers: 'Owners and billing admins buy and cancel.',
  seeMembers: 'See who they are',
  askOwner: 'An owner or a billing admin of your organization can add products.',
  available: 'Available products',
  /** Used if the price list does not describe a product. */
  descriptions: productDescriptions,
  price: (amount: string, interval: string) => `${amount} / ${interval}`,
  add: 'Add',
  addNamed: (name: string) => `Add ${name} to the order`,
  added: 'Added',
  addedNamed: (name: string) => `Added: ${name}. Remove it from the order`,
  coupon: (code: string) => `Coupon ${code}`,
  /** A subscription's state as a badge, and its end or the reason why it waits. */
  states: {
    canceled: { badge: 'Ended', line: (day: string) => `Ended on ${day}` },
    wait: { badge: 'Processing', line: 'The payment is being processed.' },
    confirm: { badge: 'Confirmation needed', line: 'Your bank asks you to confirm the payment.' },
    incomplete: {
      badge: 'Payment failed',
      line: 'The payment did not go through. The subscription starts when you pay.',
    },
    overdue: { badge: 'Payment overdue', line: 'The last payment failed. Pay it to keep the product.' },
    invoiceOverdue: {
      badge: 'Invoice overdue',
      line: 'An invoice is overdue. The product still works: pay the invoice to keep it.',
    },
    invoiceUnpaid: {
      badge: 'Invoice overdue',
      line: 'An invoice was not paid in time. The product works again once it is paid.',
    },
    paused: { badge: 'Paused', line: 'It is paused. Contact support to resume it.' },
    ending: {
      badge: 'Ends soon',
      line: (day: string, isInvoiceOpen: boolean) => `Canceled. Works until ${day}${andInvoice(isInvoiceOpen)}`,
    },
    trialing: {
      badge: 'Trial',
      line: (day: string, isInvoiceOpen: boolean) => `Trial until ${day}${andInvoice(isInvoiceOpen)}`,
      charged: (day: string, isInvoiceOpen: boolean, amount: string) =>
        `Trial until ${day}, then ${amount}${andInvoice(isInvoiceOpen)}`,
    },
    active: {
      badge: 'Active',
      line: (day: string, isInvoiceOpen: boolean) => `Renews on ${day}${andInvoice(isInvoiceOpen)}`,
      charged: (day: string, isInvoiceOpen: boolean, amount: string) =>
        `Renews on ${day} for ${amount}${andInvoice(isInvoiceOpen)}`,
    },
    invoiced: {
      badge: 'Active',
      line: (day: string, isInvoiceOpen: boolean) => `Renews on ${day}${andInvoice(isInvoiceOpen)}`,
      charged: (day: string, isInvoiceOpen: boolean, amount: string) =>
        `Next invoice: ${amount} on ${day}${andInvoice(isInvoiceOpen)}`,
    },
  },
  /** What comes next of a subscription that is not paid. */
  nextCharge: {
    attempt: (amount: string, day: string) => `Next attempt: ${amount} on ${day}`,
    invoice: (amount: string, day: string) => `Next invoice: ${amount} on ${day}`,
  },
  actions: {
    confirm: 'Confirm payment',
    confirmNamed: (name: string) => `Confirm payment of ${name}`,
    pay: 'Pay now',
    payNamed: (name: string) => `Pay now for ${name}`,
    paid: (name: string) => `${name} is paid`,
    resume: 'Resume',
    resumeNamed: (name: string) => `Resume ${name}`,
    resumed: (name: string) => `${name} renews again`,
    cancel: 'Cancel',
    cancelNamed: (name: string) => `Cancel ${name}`,
  },
  payPanel: {
    title: (name: string) => `Pay for ${name}`,
    hint: 'The card becomes your default, also for renewals.',
  },
  cancellation: {
    question: (name: string) => `Cancel ${name}?`,
    confirm: 'Cancel subscription',
    unpaid: 'The purchase is not finished. It ends right away, and nothing is charged.',
    until: (day: string) => `It keeps working until ${day} and is not renewed.`,
    notRenewed: 'It is not renewed.',
    invoiceRemains: 'The open invoice is still due.',
    undo: 'You can resume it until then.',
    why: 'Why do you cancel? (optional)',
    noReason: 'No answer',
    reasons: {
      too_expensive: 'It is too expensive',
      missing_features: 'It lacks features that we need',
      unused: 'We do not use it',
      switched_service: 'We use another service now',
      other: 'Another reason',
    } satisfies Record<CancellationReason, string>,
    done: (name: string) => `${name} is canceled`,
    doneUntil: (name: string, day: string) => `${name} is canceled. It works until ${day}`,
  },
}
