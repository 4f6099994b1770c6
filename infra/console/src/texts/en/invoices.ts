import type { Invoice } from '../../app/types.ts'

/** Invoices, sent and paid. */
export const invoices = {
  title: 'Invoices',
  lead: 'You get an invoice for each purchase and each renewal.',
  all: 'All invoices',
  none: 'No invoices yet',
  noneSent: 'The first one comes about an hour after you buy a product.',
  noneCharged: 'The first one appears here as soon as you buy a product.',
  terms: 'We send you invoices by email, and you pay them by bank transfer. Each invoice says when it is due.',
  toPay: 'To pay',
  nothingToPay: 'Nothing to pay.',
  columns: { invoice: 'Invoice', date: 'Date', status: 'Status', amount: 'Amount', links: 'Links' },
  states: { paid: 'Paid', open: 'Open', uncollectible: 'Not collected', void: 'Void' } satisfies Record<
    Invoice['status'],
    string
  >,
  draft: 'Draft',
  severalProducts: 'Several products',
  thisPurchase: 'this purchase',
  number: (number: string) => `Invoice ${number}`,
  due: (day: string) => `Due ${day}`,
  dueToday: 'Due today',
  left: (days: string) => `${days} left`,
  overdue: 'Overdue',
  overdueBy: (days: string) => `Overdue by ${days}`,
  pay: 'Pay',
  payInvoice: 'Pay invoice',
  /** Read out after the text of the link before it. */
  spoken: {
    pay: (what: string) => ` for ${what} in a new tab`,
    view: (invoice: string) => ` invoice ${invoice} in a new tab`,
    pdf: (invoice: string) => ` of invoice ${invoice}`,
  },
  view: 'View',
  pdf: 'PDF',
}
