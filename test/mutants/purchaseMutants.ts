import type { GuardMutant } from './guardMutants.ts'

const outcome = 'lib/billing/submitPurchase.ts'
const subscriptions = 'lib/adapters/stripe/subscriptions.ts'
const wireCall = 'lib/adapters/stripe/wireCall.ts'

/** The guards of sending a purchase and of finding out what became of it. */
export const purchaseMutants: readonly GuardMutant[] = [
  {
    name: 'key-by-chance',
    guard: 'keys come from the claim',
    edits: [
      {
        file: outcome,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
        original: 'return `sub:${organizationId}:${product}:${n}`',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
        replacement: 'return `sub:${organizationId}:${product}:${n}:${Math.random()}`',
      },
    ],
    caughtBy: ['test/billing/submitPurchase.test.ts', 'test/billing/lostAnswers.test.ts'],
  },
  {
    name: 'send-after-the-lease',
    guard: 'send only while the lease lasts',
    edits: [
      {
        file: outcome,
        original: 'sendUntil: claim.leaseUntil - LEASE_MARGIN,',
        replacement: 'sendUntil: Number.POSITIVE_INFINITY,',
      },
    ],
    caughtBy: ['test/billing/submitPurchase.test.ts'],
    because: 'The deadline of a request ends before its lease does, so that no request shows this guard alone at work.',
  },
  {
    name: 'send-until-the-deadline',
    guard: 'send only while the lease lasts',
    edits: [
      {
        file: subscriptions,
        original: 'mayStart: () => clock.now() < sendUntil && clock.now() < answerBy,',
        replacement: 'mayStart: () => clock.now() < answerBy,',
      },
    ],
    caughtBy: ['test/billing/sendLimits.test.ts'],
  },
  {
    name: 'start-whenever',
    guard: 'send only while the lease lasts',
    edits: [{ file: wireCall, original: 'if (!call.mayStart()) throw', replacement: 'if (!call.mayStart) throw' }],
    caughtBy: ['test/billing/sendLimits.test.ts'],
  },
  {
    name: 'replay-for-ever',
    guard: 'replay only under 20 h, list after',
    edits: [
      {
        file: 'lib/billing/takeOver.ts',
        original: 'now - slot.claim.firstSent < REPLAY_WINDOW ?',
        replacement: 'now >= slot.claim.firstSent ?',
      },
    ],
    caughtBy: ['test/billing/takeover.test.ts', 'test/billing/lostAnswers.test.ts'],
  },
  {
    name: 'search',
    guard: 'list, never search',
    edits: [
      {
        file: subscriptions,
        original:
          "stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }).autoPagingToArray(EVERY_PAGE),",
        replacement:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
          "stripe.subscriptions.search({ query: `metadata['n']:'${purchase.n}'`, limit: 100 }).autoPagingToArray(EVERY_PAGE),",
      },
    ],
    caughtBy: ['test/billing/lostAnswers.test.ts'],
  },
  {
    name: 'one-page-of-the-list',
    guard: 'list, never search',
    edits: [
      {
        file: subscriptions,
        original: '.autoPagingToArray(EVERY_PAGE),',
        replacement: '.then(({ data }) => data),',
      },
    ],
    caughtBy: ['test/billing/findSubscription.test.ts'],
    because: 'A list of which only the first page is read lags as a search does: its older rows are never seen.',
  },
  {
    name: 'no-quiet-period',
    guard: 'quiet period before giving up',
    edits: [{ file: outcome, original: ' && now - claim.lastSent > QUIET_PERIOD', replacement: '' }],
    caughtBy: ['test/billing/submitPurchase.test.ts', 'test/billing/takeover.test.ts'],
  },
  {
    name: 'quiet-after-the-list',
    guard: 'the quiet period has passed before the list is read',
    edits: [
      {
        file: outcome,
        original: 'canNoLongerArrive(slot, now) ?',
        replacement: 'canNoLongerArrive(slot, deps.clock.now()) ?',
      },
    ],
    caughtBy: ['test/billing/lostWrites.test.ts'],
  },
  {
    name: 'leave-it-running',
    guard: 'await or abort before returning',
    edits: [
      {
        file: wireCall,
        original: 'const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })',
        replacement: `const left = new Promise<never>((_, reject) => {
    AbortSignal.any(signals).addEventListener('abort', () => reject(new Error('left')))
  })
  const response = await Promise.race([fetch(input, { ...init, signal: null }), left])`,
      },
    ],
    caughtBy: ['test/billing/sendLimits.test.ts'],
    because:
      'That every call is awaited is the shape of the code; what ends a call that is not answered is this signal.',
  },
  {
    name: 'trust-a-replayed-answer',
    guard: 'a replayed answer is fetched anew',
    edits: [
      {
        file: outcome,
        original: "if (answer.kind !== 'ok' || !answer.replayed) return outcomeOf(answer)",
        replacement: "if (answer.kind !== 'unknown' || !answer.saved) return outcomeOf(answer)",
      },
    ],
    caughtBy: ['test/billing/submitPurchase.test.ts', 'test/billing/roundTrips.test.ts'],
  },
  {
    name: 'free-before-it-is-cancelled',
    guard: 'cancel a declined purchase before freeing',
    edits: [
      {
        file: 'lib/billing/completePurchase.ts',
        original: 'if (!isGone(cancelled)) return giveUp(context, line)',
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/lostAnswers.test.ts'],
  },
]
