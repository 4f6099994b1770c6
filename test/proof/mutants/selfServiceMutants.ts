import type { GuardMutant } from './guardMutant.ts'

const synchronize = 'lib/billing/slot/synchronizeSlot.ts'
const pay = 'lib/billing/slot/payOpenInvoice.ts'
const steps = 'test/billing/customer/cardSteps.test.ts'

/** The guards of what people do with a subscription and their cards by themselves. */
export const selfServiceMutants: readonly GuardMutant[] = [
  {
    name: 'write-the-older-answer-again',
    guard: 'a write that lost fetches anew',
    edits: [
      {
        file: synchronize,
        within: 'synchronizeSlot',
        kind: 'constant',
        mentions: ['fetched', 'fetchOf'],
        replacement: 'const fetched = undefined as Awaited<ReturnType<typeof fetchOf>> | undefined',
      },
    ],
    caughtBy: ['test/billing/subscriptions/cancelSteps.test.ts', 'test/billing/subscriptions/resumeSteps.test.ts'],
  },
  {
    name: 'record-into-any-slot',
    guard: 'the projection is guarded by subscription id',
    edits: [
      {
        file: synchronize,
        within: 'recordSubscription',
        kind: 'constant',
        mentions: ['isOver', 'isOf'],
        replacement: 'const isOver = false',
      },
    ],
    caughtBy: ['test/billing/subscriptions/resumeSteps.test.ts'],
  },
  {
    name: 'begin-a-second-payment',
    guard: 'a payment that waits for its buyer is not begun again',
    edits: [
      {
        file: pay,
        within: 'payOpenInvoice',
        kind: 'if',
        mentions: ['secret', 'waiting'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/subscriptions/paySteps.test.ts'],
  },
  {
    name: 'pay-without-the-fence',
    guard: 'a payment has a fence of its own',
    edits: [
      {
        file: pay,
        within: 'payOpenInvoice',
        kind: 'if',
        mentions: ['conflict', 'recordPayment'],
        replacement: `const paid = await payInvoice(gateway, invoice, payment.paymentMethodId, paymentKey(held, payer))
    return recordPayment(deps, gateway, fenced, payment, paid)`,
      },
    ],
    caughtBy: ['test/billing/subscriptions/paySteps.test.ts'],
  },
  {
    name: 'take-an-event-for-another-payer',
    guard: 'a payment begins again after an event',
    edits: [
      {
        file: pay,
        within: 'payOpenInvoice',
        kind: 'constant',
        mentions: ['wasEvent', 'isOf'],
        replacement: 'const wasEvent = false as boolean',
      },
    ],
    caughtBy: ['test/billing/checkout/payIncomplete.test.ts', 'test/billing/subscriptions/paySteps.test.ts'],
  },
  {
    name: 'believe-the-payment',
    guard: 'a payment is what the subscription shows',
    edits: [
      {
        file: pay,
        within: 'recordPayment',
        kind: 'if',
        mentions: ['states', 'paid'],
        replacement: "if (paid.kind === 'ok') return { kind: 'paid', slot, latest }",
      },
    ],
    caughtBy: ['test/billing/subscriptions/paySteps.test.ts'],
  },
  {
    name: 'keep-to-the-own-default',
    guard: 'the customer’s last default card is followed',
    edits: [
      {
        file: 'lib/billing/customer/setDefaultCard.ts',
        within: 'moveSubscriptions',
        kind: 'if',
        mentions: ['target', 'current', 'isMoved'],
        replacement: 'if (isMoved) return target',
      },
    ],
    caughtBy: ['test/billing/customer/cardSteps.test.ts'],
  },
  {
    name: 'overwrite-the-choice-of-a-card',
    guard: 'a card that a user chose is not overwritten',
    edits: [
      {
        file: 'lib/billing/customer/setFirstDefaultCard.ts',
        within: 'setFirstDefaultCard',
        kind: 'return',
        mentions: ['restoreChoice'],
        replacement: 'return now',
      },
    ],
    caughtBy: ['test/billing/events/projectEvent.test.ts', steps],
  },
  {
    name: 'follow-what-overwrote-the-choice',
    guard: 'a card that a user chose is not overwritten',
    edits: [
      {
        file: 'lib/billing/customer/setDefaultCard.ts',
        within: 'moveSubscriptions',
        kind: 'constant',
        mentions: ['current', 'restoreChoice'],
        replacement: 'const { id: current } = requireOk(found)',
      },
    ],
    caughtBy: [steps],
  },
  {
    name: 'forget-which-card-was-chosen',
    guard: 'a card that a user chose is not overwritten',
    edits: [
      {
        file: 'lib/adapters/stripe/cards.ts',
        within: 'metadataOf',
        kind: 'return',
        mentions: ['CHOSEN_CARD', 'CHOSEN_AT'],
        replacement: 'return {}',
      },
    ],
    caughtBy: ['test/billing/gateway/contracts.test.ts'],
  },
  {
    name: 'remove-the-card-in-use',
    guard: 'a card stays while something is paid with it',
    edits: [
      {
        file: 'lib/billing/customer/removeCard.ts',
        within: 'removeMoved',
        kind: 'if',
        mentions: ['successor', 'mayBeNeeded'],
        replacement: '',
      },
    ],
    caughtBy: [steps, 'test/billing/customer/paymentMethods.test.ts'],
  },
  {
    name: 'move-to-a-card-that-never-paid',
    guard: 'only a card that has paid takes the place of another',
    edits: [
      {
        file: 'lib/billing/customer/removeCard.ts',
        within: 'successorOf',
        kind: 'constant',
        mentions: ['others', 'paid'],
        replacement: 'const others = [defaultId, ...paid].filter((id) => id !== null && id !== card.id) as string[]',
      },
    ],
    caughtBy: [steps, 'test/billing/customer/paymentMethods.test.ts'],
  },
  {
    name: 'keep-the-default-that-never-paid',
    guard: 'the first card that paid is the default',
    edits: [
      {
        file: 'lib/billing/customer/setFirstDefaultCard.ts',
        within: 'followPayment',
        kind: 'if',
        mentions: ['set_up'],
        replacement: 'if (id !== null) return found',
      },
    ],
    caughtBy: ['test/billing/events/projectEvent.test.ts'],
  },
  {
    name: 'replace-the-default-that-was-chosen',
    guard: 'a card that a user chose is not overwritten',
    edits: [
      {
        file: 'lib/billing/customer/setFirstDefaultCard.ts',
        within: 'followPayment',
        kind: 'if',
        mentions: ['set_up'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/events/projectEvent.test.ts'],
  },
  {
    name: 'forget-that-the-default-was-only-set-up',
    guard: 'the first card that paid is the default',
    edits: [
      {
        file: 'lib/adapters/stripe/cards.ts',
        within: 'whyDefault',
        kind: 'if',
        mentions: ['chosen'],
        replacement: 'if (id === null) return undefined',
      },
    ],
    caughtBy: ['test/billing/gateway/contracts.test.ts'],
    because: 'A choice of the same card counts.',
  },
  {
    name: 'count-a-charge-that-failed',
    guard: 'only a card that has paid takes the place of another',
    edits: [
      {
        file: 'lib/adapters/stripe/cards.ts',
        within: 'createCards',
        kind: 'constant',
        mentions: ['charges', 'succeeded'],
        replacement: 'const paid = [...charges.value].reverse()',
      },
    ],
    caughtBy: ['test/billing/gateway/contracts.test.ts'],
  },
  {
    name: 'remove-two-cards-at-once',
    guard: 'a removal counts on no card that is being removed',
    edits: [
      {
        file: 'lib/billing/customer/removeCard.ts',
        within: 'requireNoOtherRemoval',
        kind: 'if',
        mentions: ['cardFence'],
        replacement: 'return',
      },
    ],
    caughtBy: [steps],
  },
  {
    name: 'leave-a-subscription-without-card',
    guard: 'a card stays while something is paid with it',
    edits: [
      {
        file: 'lib/billing/customer/removeCard.ts',
        within: 'moveSubscriptions',
        kind: 'if',
        mentions: ['hasEnded', 'requireOk'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/customer/cardSteps.test.ts'],
  },
  {
    name: 'remove-without-the-fence',
    guard: 'nothing is sent while its card is removed',
    edits: [
      {
        file: 'lib/billing/customer/removeCard.ts',
        within: 'removeCard',
        kind: 'constant',
        mentions: ['fenced', 'fenceCards'],
        replacement: "const fenced = 'written' as 'written' | 'conflict'",
      },
    ],
    caughtBy: [steps],
  },
  {
    name: 'fence-over-what-is-bought-meanwhile',
    guard: 'nothing is sent while its card is removed',
    edits: [
      {
        file: 'lib/adapters/dynamodb/billingStore.ts',
        within: 'fenceCards',
        kind: 'member',
        mentions: ['slots', 'checkSlotAsRead'],
        replacement: 'slots: slots.slice(0, 0).map((slot) => checkSlotAsRead(table, slot))',
      },
    ],
    caughtBy: ['test/proof/world/billingRecords.test.ts'],
  },
  {
    name: 'send-beside-a-removal',
    guard: 'nothing is sent while its card is removed',
    edits: [
      {
        file: 'lib/billing/checkout/claimLines.ts',
        within: 'isAsRead',
        kind: 'if',
        mentions: ['cardFence'],
        replacement: 'if (now?.customerRev !== account.customerRev) return false',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts'],
  },
  {
    name: 'claim-beside-a-removal',
    guard: 'nothing is sent while its card is removed',
    edits: [
      {
        file: 'lib/adapters/dynamodb/billingAccountStore.ts',
        within: 'accountAsRead',
        kind: 'constant',
        mentions: ['fenced'],
        replacement:
          "const fenced = cardFence === undefined ? 'attribute_exists(pk)' : '(cardFence.#owner = :fence OR attribute_exists(pk))'",
      },
    ],
    caughtBy: ['test/proof/world/billingRecords.test.ts'],
    because: 'The condition itself: a claim with a coupon and a removal go by the same one.',
  },
  {
    name: 'buy-with-a-card-that-is-being-removed',
    guard: 'nothing is sent while its card is removed',
    edits: [
      {
        file: 'lib/billing/checkout/planCart.ts',
        within: 'planCart',
        kind: 'return',
        mentions: ['isFenced', 'whileFenced'],
        replacement: 'return plans',
      },
    ],
    caughtBy: ['test/billing/checkout/planCart.test.ts'],
  },
  {
    name: 'end-a-fence-while-the-removal-may-arrive',
    guard: 'nothing is sent while its card is removed',
    edits: [
      {
        file: 'lib/billing/customer/removeCard.ts',
        within: 'removeFenced',
        kind: 'constant',
        mentions: ['isUnknown'],
        replacement: 'const isUnknown = false',
      },
    ],
    caughtBy: [steps],
  },
]
