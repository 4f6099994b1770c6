import type { GuardMutant } from './guardMutant.ts'

const submitPurchase = 'lib/billing/checkout/submitPurchase.ts'
const anotherCoupon = 'test/billing/checkout/anotherCoupon.deep.test.ts'

/** The guards of a coupon. */
export const couponMutants: readonly GuardMutant[] = [
  {
    name: 'claim-without-reserving',
    guard: 'reserved in the transaction of the claim',
    edits: [
      {
        file: 'lib/billing/checkout/holdSlot.ts',
        within: 'holdSlot',
        kind: 'member',
        mentions: ['change', 'redemption'],
        replacement: 'change: { next }',
      },
    ],
    caughtBy: ['test/billing/checkout/couponOnce.test.ts'],
  },
  {
    name: 'reserve-what-is-held',
    guard: 'reserved in the transaction of the claim',
    edits: [
      {
        file: 'lib/adapters/dynamodb/redemptionStore.ts',
        within: 'writeRedemption',
        kind: 'member',
        mentions: ['ConditionExpression', 'NOT_REDEEMED'],
        replacement: '...{}',
      },
    ],
    caughtBy: ['test/billing/checkout/couponOnce.test.ts'],
    because: 'Reserving in the transaction protects nothing where the reservation of another purchase is overwritten.',
  },
  {
    name: 'clients-redeem-for-nobody',
    guard: 'a coupon is redeemed for the user behind the request',
    edits: [
      {
        file: 'lib/billing/slot/redeemer.ts',
        within: 'redeemerOf',
        kind: 'if',
        mentions: ['createdBy', 'undefined'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/checkout/couponOfClients.deep.test.ts'],
  },
  {
    name: 'forget-earlier-redemptions',
    guard: 'a coupon is redeemed for the user behind the request',
    edits: [
      {
        file: 'lib/adapters/dynamodb/redemptionStore.ts',
        within: 'writeRedemption',
        kind: 'operation',
        mentions: ['earlierId', 'undefined'],
        replacement: 'true',
      },
    ],
    caughtBy: ['test/billing/checkout/couponOfClients.deep.test.ts', 'test/proof/world/billingRecords.test.ts'],
    because: 'Earlier versions stored redemptions under the id of the user; they still count.',
  },
  {
    name: 'adopt-without-redemption',
    guard: 'a subscription is adopted with its coupon',
    edits: [
      {
        file: 'lib/billing/slot/slotChange.ts',
        within: 'toSubscription',
        kind: 'text',
        mentions: ['adopt'],
        replacement: 'null',
      },
    ],
    caughtBy: ['test/billing/slot/slotChange.test.ts', 'test/billing/reconcile/restoredCoupon.deep.test.ts'],
  },
  {
    name: 'adopt-only-what-is-not-redeemed',
    guard: 'a subscription is adopted with its coupon',
    edits: [
      {
        file: 'lib/billing/slot/slotChange.ts',
        within: 'commitChange',
        kind: 'text',
        mentions: ['adopt'],
        replacement: "'release'",
      },
    ],
    caughtBy: ['test/billing/reconcile/restoredCoupon.deep.test.ts'],
    because: 'A subscription that exists is paid for: its slot takes it, whoever redeemed its coupon since.',
  },
  {
    name: 'free-without-releasing',
    guard: 'released in the transaction that frees the slot',
    edits: [
      {
        file: 'lib/billing/slot/slotChange.ts',
        within: 'toFree',
        kind: 'text',
        mentions: ['release'],
        replacement: 'null',
      },
    ],
    caughtBy: ['test/billing/checkout/couponGivenBack.deep.test.ts'],
  },
  {
    name: 'expire-without-releasing',
    guard: 'released in the transaction that frees the slot',
    edits: [
      {
        file: 'lib/billing/slot/slotChange.ts',
        within: 'redemptionAfter',
        kind: 'if',
        mentions: ['incomplete', 'endedUnpaid'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/slot/slotChange.test.ts', 'test/billing/checkout/couponGivenBack.deep.test.ts'],
  },
  {
    name: 'release-what-was-paid',
    guard: 'released in the transaction that frees the slot',
    edits: [
      {
        file: 'lib/billing/slot/slotChange.ts',
        within: 'endedUnpaid',
        kind: 'return',
        mentions: ['wasPaid'],
        replacement: 'return isEnded(status)',
      },
    ],
    caughtBy: ['test/billing/slot/slotChange.test.ts'],
    because: 'A purchase that was paid has used its coupon, whatever became of it later.',
  },
  {
    name: 'let-redemptions-expire',
    guard: 'never freed by an expiry',
    edits: [
      {
        file: 'lib/adapters/dynamodb/tables.ts',
        within: 'tables',
        kind: 'member',
        mentions: ['localName', 'billing'],
        replacement: (code) => `${code}, timeToLiveAttribute: 'expiresAt'`,
      },
    ],
    caughtBy: ['test/billing/checkout/neverExpires.test.ts'],
    because: 'What must not be there has no place: the mutant switches the expiry on, the next one sets a time.',
  },
  {
    name: 'give-redemptions-a-time',
    guard: 'never freed by an expiry',
    edits: [
      {
        file: 'lib/adapters/dynamodb/redemptionStore.ts',
        within: 'writeRedemption',
        kind: 'member',
        mentions: ['couponId'],
        replacement: (code) => `${code}, expiresAt: Math.floor(Date.now() / 1000) + 86_400`,
      },
    ],
    caughtBy: ['test/billing/checkout/neverExpires.test.ts'],
  },
  {
    name: 'give-up-what-was-declined',
    guard: 'a declined purchase keeps its coupon',
    edits: [
      {
        file: 'lib/billing/checkout/settlePurchase.ts',
        within: 'settleSubscription',
        kind: 'constant',
        mentions: ['isGivenUp', 'coupon'],
        replacement: 'const isGivenUp = isDeclined(subscription)',
      },
    ],
    caughtBy: ['test/billing/checkout/completePurchase.test.ts', 'test/billing/checkout/limitedCoupons.deep.test.ts'],
  },
  {
    name: 'end-what-waits-for-its-buyer',
    guard: 'only a declined purchase makes room for another coupon',
    edits: [{ file: submitPurchase, within: 'whyKept', kind: 'if', mentions: ['isDeclined'], replacement: '' }],
    caughtBy: [anotherCoupon],
  },
  {
    name: 'end-what-was-paid-meanwhile',
    guard: 'what was paid makes no room for another coupon',
    edits: [
      {
        file: 'lib/billing/slot/endUnpaid.ts',
        within: 'preventPayment',
        kind: 'if',
        mentions: ['already_done'],
        replacement: "if (voided.kind === 'refused') return true",
      },
    ],
    caughtBy: ['test/billing/checkout/payIncomplete.test.ts'],
  },
  {
    name: 'end-before-voiding',
    guard: 'what was paid makes no room for another coupon',
    edits: [
      {
        file: 'lib/billing/slot/endUnpaid.ts',
        within: 'endUnpaid',
        kind: 'return',
        mentions: ['preventPayment'],
        replacement: 'return endNow(ending)',
      },
    ],
    caughtBy: ['test/billing/checkout/payIncomplete.test.ts'],
  },
  {
    name: 'end-for-a-coupon-that-is-refused',
    guard: 'nothing is ended for a coupon that cannot be used',
    edits: [{ file: submitPurchase, within: 'whyKept', kind: 'if', mentions: ['priced'], replacement: '' }],
    caughtBy: [anotherCoupon],
  },
  {
    name: 'end-for-a-coupon-that-is-taken',
    guard: 'nothing is ended for a coupon that cannot be used',
    edits: [
      {
        file: submitPurchase,
        within: 'whyKept',
        kind: 'constant',
        mentions: ['isTaken'],
        replacement: 'const isTaken = false',
      },
    ],
    caughtBy: [anotherCoupon],
  },
  {
    name: 'pay-what-was-voided',
    guard: 'a purchase that nothing can pay any more makes room',
    edits: [
      {
        file: 'lib/billing/slot/payOpenInvoice.ts',
        within: 'payOpenInvoice',
        kind: 'operation',
        mentions: ['voided'],
        replacement: 'false',
      },
    ],
    caughtBy: [anotherCoupon],
  },
  {
    name: 'report-no-lost-redemption',
    guard: 'a redemption that bought nothing is reported',
    edits: [
      {
        file: 'lib/billing/reconcile/reconcileSubscriptions.ts',
        within: 'compareNamed',
        kind: 'call',
        mentions: ['reportLostRedemption'],
        replacement: 'undefined',
      },
    ],
    caughtBy: ['test/billing/checkout/limitedCoupons.deep.test.ts'],
  },
  {
    name: 'buy-anew-after-a-lost-write',
    guard: 'buy anew only on a projection that was committed',
    edits: [
      {
        file: 'lib/billing/checkout/settlePurchase.ts',
        within: 'settlePayment',
        kind: 'operation',
        mentions: ['isFree', 'isOf'],
        replacement: 'true',
      },
    ],
    caughtBy: ['test/billing/checkout/lostWrites.test.ts'],
  },
]
