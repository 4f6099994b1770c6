import type { GuardMutant } from './guardMutant.ts'

const classifyError = 'lib/adapters/stripe/classifyError.ts'
const wireCall = 'lib/adapters/stripe/wireCall.ts'

/** The guards of reading an answer: what is a refusal, and what is unknown. */
export const answerMutants: readonly GuardMutant[] = [
  {
    name: 'unknown-is-refused',
    guard: 'unknown is never a refusal',
    file: 'lib/billing/checkout/submitPurchase.ts',
    within: 'outcomeOf',
    kind: 'case',
    mentions: ['unknown'],
    replacement: "case 'unknown': return { kind: 'refused', reason: 'other' }",
    caughtBy: ['test/billing/checkout/submitPurchase.test.ts', 'test/billing/checkout/lostAnswers.deep.test.ts'],
  },
  {
    name: 'unanswered-is-refused',
    guard: 'unknown is never a refusal',
    file: classifyError,
    within: 'classifyError',
    kind: 'if',
    mentions: ['idempotency_error'],
    replacement: "if (status === undefined) return { kind: 'refused', reason: 'other' }",
    caughtBy: ['test/billing/gateway/classifyError.test.ts', 'test/billing/checkout/lostAnswers.deep.test.ts'],
  },
  {
    name: 'server-error-is-refused',
    guard: 'unknown is never a refusal',
    file: classifyError,
    within: 'classifyError',
    kind: 'if',
    mentions: ['500'],
    replacement: '',
    caughtBy: ['test/billing/gateway/classifyError.test.ts', 'test/billing/checkout/lostAnswers.deep.test.ts'],
  },
  {
    name: 'busy-is-refused',
    guard: 'unknown is never a refusal',
    file: classifyError,
    within: 'classifyError',
    kind: 'if',
    mentions: ['429'],
    replacement: '',
    caughtBy: ['test/billing/gateway/classifyError.test.ts', 'test/billing/checkout/lostAnswers.deep.test.ts'],
  },
  {
    name: 'rejection-after-a-sending',
    guard: 'unsaved rejection after an earlier attempt is unknown',
    file: classifyError,
    within: 'classifyError',
    kind: 'if',
    mentions: ['sentBefore'],
    replacement: '',
    caughtBy: ['test/billing/gateway/classifyError.test.ts'],
  },
  {
    name: 'rejection-after-an-earlier-request',
    guard: 'unsaved rejection after an earlier attempt is unknown',
    file: wireCall,
    within: 'createGatewayCall',
    kind: 'operation',
    mentions: ['resend', 'uncertain'],
    replacement: 'wireCall.uncertain > 0',
    caughtBy: ['test/billing/checkout/sendLimits.deep.test.ts'],
  },
  {
    name: 'rejection-of-the-second-attempt',
    guard: 'unsaved rejection after an earlier attempt is unknown',
    file: wireCall,
    within: 'createGatewayCall',
    kind: 'operation',
    mentions: ['resend', 'uncertain'],
    replacement: 'key.resend',
    caughtBy: ['test/billing/checkout/sendLimits.deep.test.ts'],
  },
]
