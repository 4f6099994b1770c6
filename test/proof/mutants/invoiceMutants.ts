import type { GuardMutant } from './guardMutant.ts'

const voided = 'an invoice of surplus is voided, and then what was paid of it goes back'
const owed = 'an organization is sent invoices, and known to owe them'
const invoices = 'lib/adapters/stripe/invoices.ts'
const onAccount = 'nothing is sold on account while an invoice is overdue'
const claimLines = 'lib/billing/checkout/claimLines.ts'
const terms = 'test/billing/customer/invoiceTerms.deep.test.ts'
const matrix = 'test/proof/world/faultMatrixInvoices.deep.test.ts'
const contracts = 'test/billing/gateway/contracts.test.ts'

/** The guards of purchases that are sent an invoice for, which may be paid whatever became of them. */
export const invoiceMutants: readonly GuardMutant[] = [
  {
    name: 'sum-the-overdue-of-bound-customers-only',
    guard: owed,
    edits: [
      {
        file: 'lib/billing/reconcile/overdue.ts',
        within: 'ownerOf',
        kind: 'return',
        mentions: ['purchase'],
        replacement: 'return organizationId',
      },
    ],
    caughtBy: ['test/billing/reconcile/overdue.deep.test.ts'],
  },
  {
    name: 'forget-the-overdue-of-earlier-pages',
    guard: owed,
    edits: [
      {
        file: 'lib/billing/reconcile/pass.ts',
        within: 'afterPage',
        kind: 'return',
        mentions: ['overdue'],
        replacement:
          '{ const { overdue: _o, ...bare } = rest; return { ...bare, rev: pass.rev + 1, counts, ...(page.next === undefined ? { phase: following } : { cursor: page.next }) } }',
      },
    ],
    caughtBy: ['test/billing/reconcile/overdue.deep.test.ts'],
  },
  {
    name: 'leave-the-invoice-of-surplus-open',
    guard: voided,
    edits: [
      {
        file: invoices,
        within: 'refundSubscription',
        kind: 'constant',
        mentions: ['voided', 'voidOpen'],
        replacement: "const voided = { kind: 'ok' } as const",
      },
    ],
    caughtBy: [contracts, matrix],
  },
  {
    name: 'refund-before-the-voiding',
    guard: voided,
    edits: [
      {
        file: invoices,
        within: 'refundSubscription',
        kind: 'constant',
        mentions: ['voided', 'voidOpen'],
        replacement: (code) => `const before = await listPaid(subscriptionId)\n      ${code}`,
      },
      {
        file: invoices,
        within: 'refundSubscription',
        kind: 'constant',
        mentions: ['listed', 'listPaid'],
        replacement: 'const listed = before',
      },
    ],
    caughtBy: ['test/proof/world/voidAndPayment.test.ts'],
  },
  {
    name: 'take-a-refused-voiding-for-done',
    guard: voided,
    edits: [{ file: invoices, within: 'voidOpen', kind: 'if', mentions: ['voided', 'ok'], replacement: '' }],
    caughtBy: ['test/proof/world/voidAndPayment.test.ts'],
  },
  {
    name: 'forget-an-invoice-that-a-crash-left-open',
    guard: voided,
    edits: [
      {
        file: 'lib/billing/gateway/subscription.ts',
        within: 'hasMoney',
        kind: 'operation',
        mentions: ['wasPaid', 'invoice_open'],
        replacement: 'wasPaid',
      },
    ],
    caughtBy: [matrix],
  },
  {
    name: 'take-surplus-with-an-open-invoice-for-removed',
    guard: voided,
    edits: [
      {
        file: 'lib/billing/slot/refundPolicy.ts',
        within: 'isRemoved',
        kind: 'operation',
        mentions: ['payment', 'invoice_open'],
        replacement: 'true',
      },
    ],
    caughtBy: [matrix],
  },
  {
    name: 'sell-as-if-charged',
    guard: owed,
    edits: [
      {
        file: 'lib/adapters/stripe/collections.ts',
        within: 'sendInvoice',
        kind: 'return',
        mentions: ['send_invoice', 'days_until_due'],
        replacement: 'return {}',
      },
    ],
    caughtBy: [contracts, matrix],
  },
  {
    name: 'look-for-no-open-invoice',
    guard: owed,
    edits: [
      {
        file: 'lib/adapters/stripe/readSubscription.ts',
        within: 'sentInvoicesOf',
        kind: 'return',
        mentions: ['draft', 'sent invoices'],
        replacement: 'return null',
      },
    ],
    caughtBy: [contracts, matrix],
    because: 'That the first draft is not looked behind only saves a call.',
  },
  {
    name: 'forget-what-is-owed-in-the-daily-pass',
    guard: owed,
    edits: [
      {
        file: 'lib/billing/reconcile/drift.ts',
        within: 'mayDiffer',
        kind: 'if',
        mentions: ['isListed', 'owesOtherwise'],
        replacement: 'if (isListed(slot, listed)) return false',
      },
    ],
    caughtBy: ['test/billing/reconcile/drift.test.ts', matrix],
  },
  {
    name: 'sell-to-who-is-behind',
    guard: onAccount,
    edits: [{ file: claimLines, within: 'priceLine', kind: 'if', mentions: ['arrears', 'overdue'], replacement: '' }],
    caughtBy: [terms],
  },
  {
    name: 'sell-while-it-is-not-known-what-is-owed',
    guard: onAccount,
    edits: [
      {
        file: claimLines,
        within: 'priceLine',
        kind: 'if',
        mentions: ['details', 'unknown'],
        replacement: "if (details === 'unknown') return refuse('gateway_unavailable')",
      },
    ],
    caughtBy: [terms],
  },
  {
    name: 'forget-what-is-owed-after-the-end',
    guard: owed,
    edits: [
      {
        file: 'lib/billing/gateway/subscription.ts',
        within: 'openPaymentOf',
        kind: 'constant',
        mentions: ['isOwed'],
        replacement: 'const isOwed = false',
      },
    ],
    caughtBy: ['test/billing/subscriptions/subscriptionResource.test.ts', terms],
  },
  {
    name: 'forget-the-invoices-of-deleted-customers',
    guard: owed,
    edits: [
      {
        file: 'lib/billing/customer/customer.ts',
        within: 'everyCustomer',
        kind: 'return',
        mentions: ['formerCustomers'],
        replacement: 'return customer ? [customer] : []',
      },
    ],
    caughtBy: ['test/billing/subscriptions/invoices.test.ts'],
  },
  {
    name: 'ask-for-what-a-card-left-open',
    guard: owed,
    edits: [
      {
        file: 'lib/billing/gateway/subscription.ts',
        within: 'openPaymentOf',
        kind: 'constant',
        mentions: ['isOwed'],
        replacement: "const isOwed = payment.kind === 'invoice_open' && !refundDue",
      },
    ],
    caughtBy: ['test/billing/subscriptions/subscriptionResource.test.ts'],
  },
  {
    name: 'take-a-surplus-invoice-for-owed',
    guard: owed,
    edits: [
      {
        file: 'lib/billing/gateway/subscription.ts',
        within: 'openPaymentOf',
        kind: 'constant',
        mentions: ['isOwed'],
        replacement: "const isOwed = payment.kind === 'invoice_open' || refundDue",
      },
    ],
    caughtBy: ['test/billing/subscriptions/subscriptionResource.test.ts'],
  },
  {
    name: 'ignore-a-payment-after-the-end',
    guard: owed,
    edits: [
      {
        file: 'lib/billing/slot/projection.ts',
        within: 'beforeFetch',
        kind: 'if',
        mentions: ['already_ended'],
        replacement: "if (isEnded(subscription.status)) return 'already_ended'",
      },
    ],
    caughtBy: ['test/billing/slot/projection.test.ts', terms],
  },
  {
    name: 'remove-what-an-invoice-needs',
    guard: 'an open invoice keeps the details that it needs',
    edits: [
      {
        file: 'lib/billing/customer/details.ts',
        within: 'requireUnneeded',
        kind: 'if',
        mentions: ['isRemoved'],
        replacement: '',
      },
    ],
    caughtBy: [terms],
  },
]
