import type { GuardMutant } from './guardMutants.ts'

const classifyError = 'lib/adapters/stripe/classifyError.ts'
const wireCall = 'lib/adapters/stripe/wireCall.ts'

/** The guards of reading an answer: what is a refusal, and what nobody knows. */
export const answerMutants: readonly GuardMutant[] = [
  {
    name: 'unknown-is-refused',
    guard: 'unknown is never a refusal',
    edits: [
      {
        file: 'lib/billing/submitPurchase.ts',
        original: "case 'unknown':\n      return { kind: 'unknown' }",
        replacement: "case 'unknown':\n      return { kind: 'refused', reason: 'other' }",
      },
    ],
    caughtBy: ['test/billing/submitPurchase.test.ts', 'test/billing/lostAnswers.test.ts'],
  },
  {
    name: 'unanswered-is-refused',
    guard: 'unknown is never a refusal',
    edits: [
      {
        file: classifyError,
        original: "if (status === undefined || type === 'idempotency_error') return UNKNOWN",
        replacement: "if (status === undefined) return { kind: 'refused', reason: 'other' }",
      },
    ],
    caughtBy: ['test/billing/classifyError.test.ts', 'test/billing/lostAnswers.test.ts'],
  },
  {
    name: 'server-error-is-refused',
    guard: 'unknown is never a refusal',
    edits: [{ file: classifyError, original: 'if (status >= 500)', replacement: 'if (status >= 600)' }],
    caughtBy: ['test/billing/classifyError.test.ts', 'test/billing/lostAnswers.test.ts'],
  },
  {
    name: 'busy-is-refused',
    guard: 'unknown is never a refusal',
    edits: [{ file: classifyError, original: 'if (status === 409 || status === 429) return UNKNOWN', replacement: '' }],
    caughtBy: ['test/billing/classifyError.test.ts', 'test/billing/lostAnswers.test.ts'],
  },
  {
    name: 'rejection-after-a-sending',
    guard: 'unsaved rejection after an earlier attempt is unknown',
    edits: [{ file: classifyError, original: 'if (!executed && sentBefore) return UNKNOWN', replacement: '' }],
    caughtBy: ['test/billing/classifyError.test.ts'],
  },
  {
    name: 'rejection-after-an-earlier-request',
    guard: 'unsaved rejection after an earlier attempt is unknown',
    edits: [
      { file: wireCall, original: '(key.resend || wireCall.attempts > 1)', replacement: 'wireCall.attempts > 1' },
    ],
    caughtBy: ['test/billing/sendLimits.test.ts'],
  },
  {
    name: 'rejection-of-the-second-attempt',
    guard: 'unsaved rejection after an earlier attempt is unknown',
    edits: [{ file: wireCall, original: '(key.resend || wireCall.attempts > 1)', replacement: 'key.resend' }],
    caughtBy: ['test/billing/sendLimits.test.ts'],
  },
]
