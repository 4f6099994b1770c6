import type { GuardMutant } from './guardMutant.ts'

const takeOver = 'lib/billing/checkout/holdSlot.ts'
const settlePurchase = 'lib/billing/checkout/settlePurchase.ts'
const submitPurchase = 'lib/billing/checkout/submitPurchase.ts'
const wireCall = 'lib/adapters/stripe/wireCall.ts'
const cancel = 'lib/billing/subscriptions/cancel.ts'
const endUnpaid = 'lib/billing/slot/endUnpaid.ts'

/** The guards of taking over what another request, or an earlier one, has begun: by a repeat, a cancellation and the sweeper. */
export const takeoverMutants: readonly GuardMutant[] = [
  {
    name: 'any-request-replays',
    guard: 'only the same request replays',
    edits: [
      {
        file: takeOver,
        within: 'takeOver',
        kind: 'constant',
        mentions: ['same', 'requestHash'],
        replacement: 'const same = true',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts', 'test/billing/checkout/takeover.deep.test.ts'],
  },
  {
    name: 'same-card-other-coupon',
    guard: 'only the same request replays',
    edits: [
      {
        file: takeOver,
        within: 'requestHash',
        kind: 'call',
        mentions: ['JSON', 'stringify'],
        replacement: 'JSON.stringify([paymentMethodId ?? null])',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts'],
  },
  {
    name: 'same-coupon-other-card',
    guard: 'only the same request replays',
    edits: [
      {
        file: takeOver,
        within: 'requestHash',
        kind: 'call',
        mentions: ['JSON', 'stringify'],
        replacement: 'JSON.stringify([couponCode ?? null])',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts', 'test/billing/checkout/takeover.deep.test.ts'],
  },
  {
    name: 'sweep-by-sending',
    guard: 'only the same request replays',
    edits: [
      {
        file: submitPurchase,
        within: 'lookUpPending',
        kind: 'constant',
        mentions: ['outcome', 'lookUp'],
        replacement:
          "const outcome = customer.kind === 'ok' ? await submitPurchase(deps, { ...line, mode: 'replay' }, customer.value, deps.clock.now() + 25_000) : { kind: 'unknown' as const }",
      },
    ],
    caughtBy: ['test/proof/world/sweep.test.ts'],
    because: 'The sweeper repeats no request: it must not execute a purchase that its buyer has given up.',
  },
  {
    name: 'replay-a-stored-failure',
    guard: 'a stored failure waits for 20 h as well',
    edits: [{ file: takeOver, within: 'takeOver', kind: 'operation', mentions: ['savedAt'], replacement: 'same' }],
    caughtBy: ['test/billing/checkout/claimLines.test.ts'],
  },
  {
    name: 'stored-failure-is-the-end',
    guard: 'a stored failure waits for 20 h as well',
    edits: [
      {
        file: submitPurchase,
        within: 'afterStoredFailure',
        kind: 'return',
        mentions: ['found'],
        replacement: 'return found',
      },
    ],
    caughtBy: ['test/billing/checkout/submitPurchase.test.ts'],
  },
  {
    name: 'no-record-of-a-stored-failure',
    guard: 'a stored failure waits for 20 h as well',
    edits: [
      {
        file: settlePurchase,
        within: 'leaveUnknown',
        kind: 'operation',
        mentions: ['saved', 'savedAt'],
        replacement: 'false',
      },
    ],
    caughtBy: ['test/billing/checkout/completePurchase.test.ts'],
  },
  {
    name: 'quiet-is-enough-after-a-stored-failure',
    guard: 'a stored failure waits for 20 h as well',
    edits: [
      {
        file: submitPurchase,
        within: 'canNoLongerArrive',
        kind: 'return',
        mentions: ['savedAt', 'REPLAY_WINDOW'],
        replacement: 'return true',
      },
    ],
    caughtBy: ['test/billing/checkout/submitPurchase.test.ts'],
  },
  {
    name: 'no-attempt-counts',
    guard: 'a sending counts unless its only attempt was rejected',
    edits: [
      {
        file: wireCall,
        within: 'createGatewayCall',
        kind: 'operation',
        mentions: ['unknown', 'uncertain'],
        replacement: "failure.kind === 'unknown'",
      },
    ],
    caughtBy: ['test/billing/checkout/sendLimits.deep.test.ts', 'test/billing/checkout/lostAnswers.deep.test.ts'],
  },
  {
    name: 'busy-executed-nothing',
    guard: 'a sending counts unless its only attempt was rejected',
    edits: [
      {
        file: wireCall,
        within: 'isNotExecuted',
        kind: 'return',
        mentions: ['409', 'replayed'],
        replacement: 'return status >= 400 && status < 500 && status !== 402',
      },
    ],
    caughtBy: ['test/billing/checkout/sendLimits.deep.test.ts'],
    because: 'A 409 says that another attempt with the key is being executed at this moment.',
  },
  {
    name: 'forget-every-attempt',
    guard: 'a sending counts unless its only attempt was rejected',
    edits: [
      {
        file: settlePurchase,
        within: 'leaveUnknown',
        kind: 'operation',
        mentions: ['notExecuted', 'sentBefore'],
        replacement: '{ lastSent: line.sentBefore }',
      },
    ],
    caughtBy: ['test/billing/checkout/takeover.deep.test.ts'],
  },
  {
    name: 'replay-without-a-sending',
    guard: 'quiet period before giving up',
    edits: [
      {
        file: takeOver,
        within: 'takeOver',
        kind: 'constant',
        mentions: ['lastSent', 'replay', 'now'],
        replacement: 'const lastSent = claim.lastSent',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts'],
  },
  {
    name: 'looking-up-is-a-sending',
    guard: 'looking up leaves the key quiet',
    edits: [
      {
        file: takeOver,
        within: 'takeOver',
        kind: 'constant',
        mentions: ['lastSent', 'replay', 'now'],
        replacement: 'const lastSent = now',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts', 'test/billing/subscriptions/cancelSteps.test.ts'],
  },
  {
    name: 'two-plain-failures-are-stored',
    guard: 'looking up leaves the key quiet',
    edits: [
      {
        file: 'lib/adapters/stripe/classifyError.ts',
        within: 'classifyError',
        kind: 'operation',
        mentions: ['500', 'failedBefore'],
        replacement: 'status === 500',
      },
    ],
    caughtBy: ['test/billing/gateway/classifyError.test.ts'],
    because: 'Both keep a buyer from being locked out for hours where nothing was bought.',
  },
  {
    name: 'answer-with-the-purchase-of-another-request',
    guard: 'a request is answered with what it asked for',
    edits: [
      {
        file: settlePurchase,
        within: 'settledBy',
        kind: 'if',
        mentions: ['same'],
        replacement: 'return answered(bought(slot, subscription))',
      },
    ],
    caughtBy: ['test/billing/checkout/anotherRequest.test.ts'],
  },
  {
    name: 'answer-with-the-decline-of-another-card',
    guard: 'a request is answered with what it asked for',
    edits: [
      {
        file: settlePurchase,
        within: 'settleDeclined',
        kind: 'if',
        mentions: ['same'],
        replacement: "return answeredRefused(code, 'card_declined')",
      },
    ],
    caughtBy: ['test/billing/checkout/anotherRequest.test.ts'],
  },
  {
    name: 'answer-older-than-the-record',
    guard: 'a request is answered with what it asked for',
    edits: [
      {
        file: settlePurchase,
        within: 'findAgain',
        kind: 'if',
        mentions: ['subscription', 'latest', 'fetch'],
        replacement:
          "if (slot.subscription?.id === latest.id) return isHeld(slot) ? { kind: 'found', slot, latest } : unavailable",
      },
    ],
    caughtBy: ['test/billing/checkout/lostWrites.test.ts'],
    because: 'The answer of a create may say incomplete of a purchase that was paid while it was on its way.',
  },
  {
    name: 'cancel-by-the-record',
    guard: 'cancel asks the gateway first where the record is uncertain',
    edits: [
      {
        file: cancel,
        within: 'cancelAtPeriodEnd',
        kind: 'constant',
        mentions: ['current', 'fetchSubscription'],
        replacement: 'const current = known',
      },
    ],
    caughtBy: ['test/billing/subscriptions/cancelSteps.test.ts'],
  },
  {
    name: 'end-what-was-just-paid',
    guard: 'nothing is ended at its period’s end while it may be paid',
    edits: [
      {
        file: endUnpaid,
        within: 'preventPayment',
        kind: 'if',
        mentions: ['already_done'],
        replacement: "if (voided.kind === 'refused') return true",
      },
    ],
    caughtBy: ['test/billing/subscriptions/cancelSteps.test.ts'],
  },
  {
    name: 'end-without-looking-again',
    guard: 'nothing is ended at its period’s end while it may be paid',
    edits: [
      {
        file: endUnpaid,
        within: 'preventPayment',
        kind: 'if',
        mentions: ['isDraft'],
        replacement: 'if (!invoice || invoice.isDraft) return true',
      },
    ],
    caughtBy: ['test/billing/subscriptions/cancelSteps.test.ts'],
  },
  {
    name: 'go-on-collecting-after-a-cancellation',
    guard: 'a cancellation leaves nothing to be paid by card',
    edits: [
      {
        file: endUnpaid,
        within: 'hasNoPeriod',
        kind: 'return',
        mentions: ['incomplete', 'past_due'],
        replacement: "return status === 'incomplete'",
      },
    ],
    caughtBy: [
      'test/billing/subscriptions/cancelSteps.test.ts',
      'test/billing/subscriptions/cancelPastDue.deep.test.ts',
    ],
  },
  {
    name: 'leave-the-renewal-open',
    guard: 'a cancellation leaves nothing to be paid by card',
    edits: [
      {
        file: 'lib/billing/slot/synchronizeSlot.ts',
        within: 'completeEnd',
        kind: 'if',
        mentions: ['completeCancellation', 'isOf'],
        replacement: 'return projection',
      },
    ],
    caughtBy: [
      'test/billing/subscriptions/cancelSteps.test.ts',
      'test/billing/subscriptions/cancelPastDue.deep.test.ts',
    ],
  },
  {
    name: 'leave-the-cancellation-unmarked',
    guard: 'a payment that a canceling user did not know goes back',
    edits: [
      {
        file: endUnpaid,
        within: 'endNow',
        kind: 'call',
        mentions: ['asked', 'refundAfter'],
        replacement: "gateway.purchases.cancelNow(id, { kind: 'asked', by })",
      },
    ],
    caughtBy: [
      'test/billing/subscriptions/cancelSteps.test.ts',
      'test/billing/subscriptions/cancelPastDue.deep.test.ts',
    ],
  },
  {
    name: 'give-back-what-was-shown',
    guard: 'a payment that a canceling user did not know goes back',
    edits: [
      {
        file: 'lib/billing/slot/refundPolicy.ts',
        within: 'refundAfter',
        kind: 'if',
        mentions: ['isOf'],
        replacement: 'return 0',
      },
    ],
    caughtBy: [
      'test/billing/subscriptions/cancelSteps.test.ts',
      'test/billing/subscriptions/cancelPastDue.deep.test.ts',
    ],
  },
  {
    name: 'record-the-end-before-the-refund',
    guard: 'a payment that a canceling user did not know goes back',
    edits: [
      {
        file: 'lib/billing/slot/removeSubscription.ts',
        within: 'completeCancellation',
        kind: 'if',
        mentions: ['unknown', 'gatewayFailure'],
        replacement: "if (refunded.kind === 'unknown') return false",
      },
    ],
    caughtBy: [
      'test/billing/subscriptions/cancelSteps.test.ts',
      'test/billing/subscriptions/cancelPastDue.deep.test.ts',
    ],
  },
  {
    name: 'cancel-without-looking-up',
    guard: 'cancel asks the gateway first where the record is uncertain',
    edits: [
      {
        file: submitPurchase,
        within: 'lookUpPending',
        kind: 'if',
        mentions: ['account', 'customer'],
        replacement: "return { line, outcome: { kind: 'absent' } }",
      },
    ],
    caughtBy: ['test/billing/subscriptions/cancelSteps.test.ts'],
  },
  {
    name: 'cancel-over-a-lease',
    guard: 'cancel asks the gateway first where the record is uncertain',
    edits: [{ file: cancel, within: 'cancelPending', kind: 'if', mentions: ['leaseUntil'], replacement: '' }],
    caughtBy: ['test/billing/subscriptions/cancelSteps.test.ts'],
  },
]
