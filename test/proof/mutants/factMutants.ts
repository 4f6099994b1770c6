import type { GuardMutant } from './guardMutant.ts'

const matchEvent = 'lib/billing/events/matchEvent.ts'
const reconcile = 'lib/billing/reconcile/reconcileSubscriptions.ts'
const endpoint = 'lib/http/endpoint/endpoint.ts'

/** The guards of deciding on fresh facts: whose event it is, how old an answer is, what is gone for certain. */
export const factMutants: readonly GuardMutant[] = [
  {
    name: 'match-by-metadata',
    guard: 'an event is matched by subscription, then customer, then metadata',
    edits: [
      {
        file: matchEvent,
        within: 'matchCustomer',
        kind: 'if',
        mentions: ['first', 'isMatch'],
        replacement: 'if (first) return first',
      },
    ],
    caughtBy: ['test/billing/events/matchEvent.test.ts', 'test/billing/reconcile/dashboardEdits.deep.test.ts'],
  },
  {
    name: 'match-by-the-named-product',
    guard: 'an event is matched by subscription, then customer, then metadata',
    edits: [
      {
        file: matchEvent,
        within: 'matchSlot',
        kind: 'constant',
        mentions: ['one', 'isInSlot'],
        replacement: 'const slot = slots.find((one) => one.product === product)',
      },
    ],
    caughtBy: ['test/billing/events/matchEvent.test.ts', 'test/billing/reconcile/dashboardEdits.deep.test.ts'],
  },
  {
    name: 'take-the-named-slot-of-another-customer',
    guard: 'an event is matched by subscription, then customer, then metadata',
    edits: [
      {
        file: matchEvent,
        within: 'readNamed',
        kind: 'constant',
        mentions: ['isOwn', 'customerDigest'],
        replacement: 'const isOwn = account !== undefined && isInSlot(slot, event)',
      },
    ],
    caughtBy: ['test/billing/events/matchEvent.test.ts'],
  },
  {
    name: 'take-the-named-slot-of-another-subscription',
    guard: 'an event is matched by subscription, then customer, then metadata',
    edits: [
      {
        file: matchEvent,
        within: 'isInSlot',
        kind: 'return',
        mentions: ['subscriptionId'],
        replacement: 'return subscription !== undefined || subscriptionId === ""',
      },
    ],
    caughtBy: ['test/billing/events/matchEvent.test.ts'],
  },
  {
    name: 'trust-the-index',
    guard: 'an event is matched by subscription, then customer, then metadata',
    edits: [
      {
        file: matchEvent,
        within: 'matchCustomer',
        kind: 'return',
        mentions: ['Promise', 'others'],
        replacement: 'return (await Promise.all(others.map(read)))[0]',
      },
    ],
    caughtBy: ['test/billing/events/matchEvent.test.ts'],
  },
  {
    name: 'adopt-what-metadata-name',
    guard: 'an event is matched by subscription, then customer, then metadata',
    edits: [{ file: reconcile, within: 'whyNotOf', kind: 'if', mentions: ['sells'], replacement: '' }],
    caughtBy: ['test/billing/reconcile/driftReports.deep.test.ts'],
    because: 'The reconciliation reads metadata too, and checks them by what is sold and who holds it.',
  },
  {
    name: 'repair-for-another-customer',
    guard: 'an event is matched by subscription, then customer, then metadata',
    edits: [
      {
        file: 'lib/billing/reconcile/repair.ts',
        within: 'readSlotAndLatest',
        kind: 'if',
        mentions: ['customerDigest'],
        replacement: "return { kind: 'found', slot, latest }",
      },
    ],
    caughtBy: ['test/billing/reconcile/reconcile.test.ts'],
  },
  {
    name: 'acknowledge-under-any-key',
    guard: 'missing is certain only where the same key sees the customer',
    edits: [
      {
        file: 'lib/billing/events/projectSubscription.ts',
        within: 'fetchLatest',
        kind: 'if',
        mentions: ['customer', 'ok'],
        replacement: "return 'missing'",
      },
    ],
    caughtBy: ['test/billing/events/projectEvent.test.ts', 'test/billing/reconcile/dashboardEdits.deep.test.ts'],
  },
  {
    name: 'no-subscriptions-under-any-key',
    guard: 'missing is certain only where the same key sees the customer',
    edits: [
      {
        file: 'lib/billing/customer/customerSubscriptions.ts',
        within: 'listSubscriptionsOf',
        kind: 'if',
        mentions: ['fetched', 'ok'],
        replacement: "if (fetched.kind !== 'ok') return none",
      },
    ],
    caughtBy: ['test/infra/operate/operate.test.ts'],
  },
  {
    name: 'forget-by-an-error',
    guard: 'a customer is gone only where GET says deleted',
    edits: [
      {
        file: 'lib/billing/customer/customer.ts',
        within: 'forgetDeletedCustomer',
        kind: 'if',
        mentions: ['deleted'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/checkout/completePurchase.test.ts'],
  },
  {
    name: 'absent-by-an-error',
    guard: 'a customer is gone only where GET says deleted',
    edits: [
      {
        file: 'lib/billing/checkout/submitPurchase.ts',
        within: 'isDeleted',
        kind: 'return',
        mentions: ['deleted'],
        replacement: 'return true',
      },
    ],
    caughtBy: ['test/billing/checkout/submitPurchase.test.ts'],
  },
  {
    name: 'as-new-as-its-date',
    guard: 'an answer is as old as its request',
    edits: [
      {
        file: 'lib/adapters/stripe/wireCall.ts',
        within: 'coveredUntil',
        kind: 'return',
        mentions: ['sentAt'],
        replacement: 'return date || 0',
      },
    ],
    caughtBy: ['test/billing/checkout/sendLimits.deep.test.ts'],
  },
  {
    name: 'entitled-past-the-end',
    guard: 'an entitlement ends at its scheduled end',
    edits: [
      {
        file: 'lib/billing/slot/entitlement.ts',
        within: 'entitlementAt',
        kind: 'if',
        mentions: ['endsAt'],
        replacement: 'return stored',
      },
    ],
    caughtBy: ['test/billing/slot/entitlement.test.ts', 'test/billing/subscriptions/entitlements.test.ts'],
  },
  {
    name: 'buy-at-the-old-price',
    guard: 'a price that is not sold any more is asked for anew',
    edits: [
      {
        file: 'lib/billing/checkout/checkout.ts',
        within: 'buyAgain',
        kind: 'constant',
        mentions: ['isStale', 'price_unavailable'],
        replacement: 'const isStale = false',
      },
    ],
    caughtBy: ['test/billing/checkout/gatewayRefusals.deep.test.ts'],
  },
  ...(
    [
      ['sell-at-an-unseen-price', 'lib/billing/checkout/claimLines.ts', 'priceLine', ['disagreement'], ''],
      [
        'pay-an-unseen-invoice',
        'lib/billing/checkout/claimLines.ts',
        'claimLines',
        ['isUnseen'],
        'const isUnseen = false',
      ],
      ['pay-what-another-bought', 'lib/billing/checkout/checkout.ts', 'buyAgain', ['incomplete', 'agreed'], ''],
    ] as const
  ).map(([name, file, within, mentions, replacement]) => ({
    name,
    guard: 'nothing is sold at a price that its buyer was not shown' as const,
    edits: [
      { file, within, kind: replacement === '' ? ('if' as const) : ('constant' as const), mentions, replacement },
    ],
    caughtBy: ['test/billing/checkout/expectedSubtotal.deep.test.ts'],
  })),
  {
    name: 'sell-in-an-unseen-currency',
    guard: 'nothing is sold at a price that its buyer was not shown',
    edits: [
      {
        file: 'lib/billing/checkout/claimLines.ts',
        within: 'disagreementOn',
        kind: 'constant',
        mentions: ['isOther'],
        replacement: 'const isOther = false',
      },
    ],
    caughtBy: ['test/billing/checkout/currencies.deep.test.ts'],
  },
  {
    name: 'preview-in-two-currencies',
    guard: 'a customer is billed in one currency',
    edits: [
      {
        file: 'lib/billing/checkout/previewCheckout.ts',
        within: 'inOneCurrency',
        kind: 'operation',
        mentions: ['currency', 'first'],
        replacement: 'false',
      },
    ],
    caughtBy: ['test/billing/checkout/currencies.deep.test.ts'],
  },
  {
    name: 'another-currency-is-our-fault',
    guard: 'a customer is billed in one currency',
    edits: [
      {
        file: 'lib/adapters/stripe/classifyError.ts',
        within: 'refusals',
        kind: 'member',
        mentions: ['reason', 'currency_mismatch'],
        replacement: "reason: 'other'",
      },
    ],
    caughtBy: ['test/billing/checkout/currencies.deep.test.ts', 'test/billing/gateway/classifyError.test.ts'],
  },
  {
    name: 'type-the-id-of-a-coupon',
    guard: 'a coupon is typed by its code',
    edits: [
      {
        file: 'lib/adapters/stripe/catalog.ts',
        within: 'findTypedCoupon',
        kind: 'if',
        mentions: ['typed', 'public'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/checkout/coupons.test.ts'],
  },
  {
    name: 'refuse-at-the-old-price',
    guard: 'a price that is not sold any more is asked for anew',
    edits: [
      {
        file: 'lib/billing/checkout/settlePurchase.ts',
        within: 'settleRefused',
        kind: 'if',
        mentions: ['price_unavailable'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/checkout/completePurchase.test.ts', 'test/billing/checkout/gatewayRefusals.deep.test.ts'],
  },
  {
    name: 'all-prices-at-once',
    guard: 'a price that is not sold any more is asked for anew',
    edits: [
      {
        file: 'lib/adapters/stripe/prices.ts',
        within: 'createPriceList',
        kind: 'call',
        mentions: ['slice', 'LOOKUP_KEYS'],
        replacement: 'lookupKeys',
      },
    ],
    caughtBy: ['test/billing/gateway/prices.test.ts'],
    because: 'Stripe refuses a list of more than ten lookup keys, and then no price is known at all.',
  },
  {
    name: 'send-the-lines-together',
    guard: 'the lines of a customer are sent one after another',
    edits: [
      {
        file: 'lib/billing/checkout/checkout.ts',
        within: 'buyTogether',
        kind: 'constant',
        mentions: ['settled', 'Settled'],
        replacement: `const claimed = await claimLines(cart, plans)
  const settled = await Promise.all(claimed.map(async (line) => settleLine(cart, line, await submitLine(cart, line))))
  if (settled.length > 0) return settled`,
      },
    ],
    caughtBy: ['test/billing/checkout/roundTrips.deep.test.ts'],
  },
  {
    name: 'give-up-at-a-lock',
    guard: 'the lines of a customer are sent one after another',
    edits: [
      {
        file: 'lib/adapters/stripe/wireCall.ts',
        within: 'isLocked',
        kind: 'return',
        mentions: ['lock_timeout'],
        replacement: 'return false',
      },
    ],
    caughtBy: ['test/billing/checkout/sendLimits.deep.test.ts', 'test/billing/checkout/gatewayRefusals.deep.test.ts'],
    because: 'Another request of the same customer, or Stripe itself, may hold the lock.',
  },
  {
    name: 'leave-the-number-behind',
    guard: 'no purchase number is given twice',
    edits: [
      {
        file: 'lib/billing/reconcile/raiseNumber.ts',
        within: 'raiseNumber',
        kind: 'if',
        mentions: ['n', 'name'],
        replacement: 'return',
      },
    ],
    caughtBy: ['test/billing/reconcile/reconcile.test.ts', 'test/infra/operate/restoreDrill.deep.test.ts'],
  },
  {
    name: 'adopt-without-the-number',
    guard: 'no purchase number is given twice',
    edits: [
      {
        file: 'lib/billing/slot/slotChange.ts',
        within: 'projected',
        kind: 'operation',
        mentions: ['n', 'raisedTo'],
        replacement: 'false',
      },
    ],
    caughtBy: ['test/billing/slot/projection.test.ts'],
  },
  {
    name: 'create-with-what-is-known-now',
    guard: 'the key of a customer is sent with what was frozen for it',
    edits: [
      {
        file: 'lib/billing/customer/customer.ts',
        within: 'frozenRequest',
        kind: 'return',
        mentions: ['freezeCustomer'],
        replacement:
          "return { kind: 'frozen' as const, request: user?.isVerified ? { name, email: user.email } : { name } }",
      },
    ],
    caughtBy: ['test/proof/world/frozenCustomer.test.ts'],
  },
  ...['protectedEndpoint', 'anonymousEndpoint'].map(
    (within): GuardMutant => ({
      name: `${within.replace('Endpoint', '')}-ignores-unknown-members`,
      guard: 'a body with unknown members is refused',
      edits: [{ file: endpoint, within, kind: 'call', mentions: ['withStrictBody'], replacement: 'contract' }],
      caughtBy: ['test/http/request/strictBodies.deep.test.ts'],
    }),
  ),
]
