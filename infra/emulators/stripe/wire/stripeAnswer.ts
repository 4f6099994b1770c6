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

/** Records in the log how a request was answered, and adds the headers that Stripe sends. `original`: the request a replay repeats. */
export function stripeAnswer(
  row: LoggedRequest,
  { status, body, original = row.id }: { status: number; body: string; original?: string },
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
  if (replayed) headers['idempotent-replayed'] = 'true'
  return { status, headers, body }
}

/** The 429 of the rate limiter. */
export function tooMany(row: LoggedRequest, reason: LimitReason, now: number): StripeAnswer {
  const { headers, ...answer } = stripeAnswer(row, faultAnswer({ status: 429 }), { replayed: false, now })
  return { ...answer, headers: { ...headers, 'stripe-rate-limited-reason': reason } }
}
