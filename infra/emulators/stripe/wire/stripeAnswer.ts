import type { LimitReason } from '../core/rateLimiter.ts'
import type { LoggedRequest } from '../core/requestLog.ts'
import { faultAnswer } from '../faults/faults.ts'
import { apiVersion } from './wire.ts'

/** An answer to send, headers included. */
export interface StripeAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** What a request is answered. `original`: the request that a replay repeats; `uncovered`: whether it is the emulator's own 501. */
interface Answered {
  status: number
  body: string
  original?: string
  uncovered?: boolean
}

/** Records in the log how a request was answered, and adds the headers that Stripe sends. */
export function stripeAnswer(
  row: LoggedRequest,
  { status, body, original = row.id, uncovered }: Answered,
  { replayed, now }: { replayed: boolean; now: number },
): StripeAnswer {
  row.status = status
  row.replayed = replayed
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    date: new Date(now * 1000).toUTCString(),
    'request-id': row.id,
    'stripe-version': apiVersion,
  }
  if (row.idempotency_key !== null) {
    headers['idempotency-key'] = row.idempotency_key
    headers['original-request'] = original
  }
  if (uncovered) headers['stripe-should-retry'] = 'false'
  if (replayed) headers['idempotent-replayed'] = 'true'
  return { status, headers, body }
}

/** The 429 of the rate limiter. */
export function tooMany(row: LoggedRequest, reason: LimitReason, now: number): StripeAnswer {
  const { headers, ...answer } = stripeAnswer(row, faultAnswer({ status: 429 }), { replayed: false, now })
  return { ...answer, headers: { ...headers, 'stripe-rate-limited-reason': reason } }
}
