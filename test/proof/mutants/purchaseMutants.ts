import type { GuardMutant } from './guardMutant.ts'

const outcome = 'lib/billing/checkout/submitPurchase.ts'
const subscriptions = 'lib/adapters/stripe/purchases.ts'
const wireCall = 'lib/adapters/stripe/wireCall.ts'

/** The guards of sending a purchase and of finding out what became of it. */
export const purchaseMutants: readonly GuardMutant[] = [
  {
    name: 'key-by-chance',
    guard: 'keys come from the claim',
    edits: [
      {
        file: outcome,
        within: 'purchaseKey',
        kind: 'return',
        mentions: [],
        replacement: (code) => `${code} + Math.random()`,
      },
    ],
    caughtBy: ['test/billing/checkout/submitPurchase.test.ts', 'test/billing/checkout/lostAnswers.deep.test.ts'],
  },
  {
    name: 'send-after-the-lease',
    guard: 'send only while the lease lasts',
    edits: [
      {
        file: outcome,
        within: 'submitPurchase',
        kind: 'member',
        mentions: ['sendUntil'],
        replacement: 'sendUntil: Number.POSITIVE_INFINITY',
      },
    ],
    caughtBy: ['test/billing/checkout/submitPurchase.test.ts'],
    because: 'The deadline of a request ends before its lease does, so that no request shows this guard alone at work.',
  },
  {
    name: 'send-until-the-deadline',
    guard: 'send only while the lease lasts',
    edits: [
      {
        file: subscriptions,
        within: 'wireLimits',
        kind: 'member',
        mentions: ['mayStart'],
        replacement: 'mayStart: () => clock.now() < answerBy',
      },
    ],
    caughtBy: ['test/billing/checkout/sendLimits.deep.test.ts'],
  },
  {
    name: 'start-whenever',
    guard: 'send only while the lease lasts',
    edits: [{ file: wireCall, within: 'limited', kind: 'if', mentions: ['mayStart'], replacement: '' }],
    caughtBy: ['test/billing/checkout/sendLimits.deep.test.ts'],
  },
  {
    name: 'replay-for-ever',
    guard: 'replay only under 20 h, list after',
    edits: [
      {
        file: 'lib/billing/checkout/holdSlot.ts',
        within: 'takeOver',
        kind: 'operation',
        mentions: ['REPLAY_WINDOW'],
        replacement: 'true',
      },
    ],
    caughtBy: ['test/billing/checkout/takeover.deep.test.ts', 'test/billing/checkout/lostAnswers.deep.test.ts'],
  },
  {
    name: 'search',
    guard: 'list, never search',
    edits: [
      {
        file: subscriptions,
        within: 'listAll',
        kind: 'call',
        mentions: ['list'],
        replacement: `stripe.subscriptions.search({ query: "metadata['product']:'ota'", limit: 100 })`,
      },
    ],
    caughtBy: ['test/billing/checkout/lostAnswers.deep.test.ts'],
  },
  {
    name: 'one-page-of-the-list',
    guard: 'list, never search',
    edits: [
      {
        file: subscriptions,
        within: 'listAll',
        kind: 'call',
        mentions: ['list'],
        replacement: (list) => `({ autoPagingToArray: async () => (await ${list}).data })`,
      },
    ],
    caughtBy: ['test/billing/gateway/findSubscription.test.ts'],
    because: 'A list of which only the first page is read lags as a search does: its older rows are never seen.',
  },
  {
    name: 'no-quiet-period',
    guard: 'quiet period before giving up',
    edits: [
      {
        file: outcome,
        within: 'canNoLongerArrive',
        kind: 'operation',
        mentions: ['lastSent', 'QUIET_PERIOD'],
        replacement: 'true',
      },
    ],
    caughtBy: ['test/billing/checkout/submitPurchase.test.ts', 'test/billing/checkout/takeover.deep.test.ts'],
  },
  {
    name: 'quiet-after-the-list',
    guard: 'the quiet period has passed before the list is read',
    edits: [
      {
        file: outcome,
        within: 'lookUp',
        kind: 'call',
        mentions: ['canNoLongerArrive'],
        replacement: 'canNoLongerArrive(slot, deps.clock.now())',
      },
    ],
    caughtBy: ['test/billing/checkout/lostWrites.test.ts'],
  },
  {
    name: 'leave-it-running',
    guard: 'await or abort before returning',
    edits: [
      {
        file: wireCall,
        within: 'limited',
        kind: 'constant',
        mentions: ['answer'],
        replacement: `const left = new Promise<never>((_, reject) => {
    call.signal?.addEventListener('abort', () => reject(new Error('left')))
  })
  const answer = await Promise.race([send(undefined), left])`,
      },
    ],
    caughtBy: ['test/billing/checkout/sendLimits.deep.test.ts'],
    because:
      'That every call is awaited is the shape of the code; what ends a call that is not answered is this signal.',
  },
  {
    name: 'trust-a-replayed-answer',
    guard: 'a replayed answer is fetched anew',
    edits: [
      {
        file: outcome,
        within: 'submitPurchase',
        kind: 'if',
        mentions: ['replayed'],
        replacement: "if (answer.kind !== 'unknown' || !answer.saved) return outcomeOf(answer)",
      },
    ],
    caughtBy: ['test/billing/checkout/submitPurchase.test.ts', 'test/billing/checkout/roundTrips.deep.test.ts'],
  },
  {
    name: 'free-before-it-is-canceled',
    guard: 'cancel a declined purchase before freeing',
    edits: [
      {
        file: 'lib/billing/checkout/settlePurchase.ts',
        within: 'settleDeclined',
        kind: 'if',
        mentions: ['removal', 'removed'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/checkout/lostAnswers.deep.test.ts'],
  },
]
