import type { GuardMutant } from './guardMutant.ts'

const guard = 'a subscription says what it costs'
const read = 'lib/adapters/stripe/readSubscription.ts'
const wire = 'test/billing/subscriptions/nextCharge.deep.test.ts'

/** The guards of price and next charge: the price is as it was sold, and no figure is stored that is not the gateway's latest. */
export const costMutants: readonly GuardMutant[] = [
  {
    name: 'take-a-replaced-price-for-the-sold-one',
    guard,
    file: 'lib/billing/slot/slotChange.ts',
    within: 'soldPriceOf',
    kind: 'return',
    mentions: ['sold', 'price'],
    replacement: 'return price ?? sold ?? null',
    caughtBy: [wire, 'test/billing/subscriptions/subscriptionResource.test.ts'],
  },
  {
    name: 'keep-the-sold-price-for-another-subscription',
    guard,
    file: 'lib/billing/slot/slotChange.ts',
    within: 'soldPriceOf',
    kind: 'constant',
    mentions: ['sold', 'id'],
    replacement: 'const sold = id && slot.subscription?.price',
    caughtBy: ['test/billing/subscriptions/subscriptionResource.test.ts'],
  },
  {
    name: 'charge-next-what-ends-before',
    guard,
    file: read,
    within: 'nextChargeOf',
    kind: 'operation',
    mentions: ['cancel_at'],
    replacement: 'false',
    caughtBy: ['test/billing/gateway/contracts.test.ts'],
  },
  {
    name: 'charge-next-what-is-not-collected',
    guard,
    file: read,
    within: 'nextChargeOf',
    kind: 'if',
    mentions: ['pause_collection'],
    replacement: 'if (!renews || cancel_at !== null) return null',
    caughtBy: [wire],
  },
  {
    name: 'preview-the-next-period-before-an-open-invoice',
    guard,
    file: read,
    within: 'nextChargeOf',
    kind: 'if',
    mentions: ['draft', 'open'],
    replacement: 'if (latest) return undefined',
    caughtBy: [wire],
  },
  {
    name: 'need-the-preview-to-record',
    guard,
    file: 'lib/adapters/stripe/purchases.ts',
    within: 'subscriptionOf',
    kind: 'constant',
    mentions: ['nextCharge', 'previewRenewal'],
    replacement: (code) => `${code}\n    if (!nextCharge) return { kind: 'unknown', saved: false }`,
    caughtBy: [wire],
  },
  {
    name: 'never-fill-in-what-it-costs',
    guard,
    file: 'lib/billing/reconcile/drift.ts',
    within: 'mayDiffer',
    kind: 'call',
    mentions: ['isPriced'],
    replacement: 'true',
    caughtBy: ['test/billing/reconcile/drift.test.ts', wire],
  },
  {
    name: 'leave-a-replaced-price-unreported',
    guard,
    file: 'lib/billing/reconcile/terms.ts',
    within: 'termsDifferences',
    kind: 'if',
    mentions: ['sold', 'now'],
    replacement: '',
    caughtBy: ['test/billing/reconcile/terms.test.ts', wire],
  },
]
