import { AsyncLocalStorage } from 'node:async_hooks'
import Stripe from 'stripe'
import type { GatewayAnswer } from '../../billing/gatewayAnswer.ts'
import type { Logger } from '../../log/logger.ts'
import { classifyError } from './classifyError.ts'

/** The limits of one call and what came of it on the wire so far; it spans the SDK's retries. */
interface WireCall {
  attempts: number
  mayStart(): boolean
  /** Aborts what is under way when the call's time is over. */
  signal: AbortSignal | undefined
  /** Headers of the latest answer. */
  headers: Headers | undefined
}

const wireCalls = new AsyncLocalStorage<WireCall>()

/** `fetch` that counts the attempts of the call it runs in, and starts none past the call's limits. */
export const limitedFetch: typeof fetch = async (input, init) => {
  const call = wireCalls.getStore()
  if (!call) return fetch(input, init)
  if (!call.mayStart()) throw new Error('Not sent: the time for this call is over')
  call.attempts += 1
  const signals = [init?.signal, call.signal].filter((signal) => signal !== null && signal !== undefined)
  const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
  call.headers = response.headers
  return response
}

export interface WireLimits {
  mayStart?: () => boolean
  /** Milliseconds from now after which everything is aborted. */
  abortAfter?: number
  /** For a call whose key decides whether it happens twice: whether an earlier invocation may have sent that key. */
  key?: { resend: boolean }
}

/**
 * Runs one SDK call and says what it came to, in the words of `classifyError`. Never throws.
 * @param read reduces the answer; `asOf` is the gateway's clock when it answered, Unix seconds
 */
export type GatewayCall = <Answer, Value>(
  call: () => Promise<Answer>,
  read: (answer: Answer, asOf: number) => Value,
  limits?: WireLimits,
) => Promise<GatewayAnswer<Value>>

/** Stripe calls with their attempts counted and their failures classified and logged. */
export function createGatewayCall(logger: Logger): GatewayCall {
  return async (call, read, { mayStart = () => true, abortAfter, key } = {}) => {
    const signal = abortAfter === undefined ? undefined : AbortSignal.timeout(Math.max(0, abortAfter))
    const wireCall: WireCall = { attempts: 0, mayStart, signal, headers: undefined }
    try {
      const answer = await wireCalls.run(wireCall, call)
      const replayed = wireCall.headers?.get('idempotent-replayed') === 'true'
      return { kind: 'ok', value: read(answer, asOf(wireCall)), replayed }
    } catch (error) {
      const sentBefore = key !== undefined && (key.resend || wireCall.attempts > 1)
      const failure = classifyError(error, { sentBefore })
      logger.warn('Gateway call failed', { outcome: failure.kind, attempts: wireCall.attempts, ...loggable(error) })
      return failure
    }
  }
}

/** An answer without a date covers nothing, so every event will be fetched. */
function asOf({ headers }: WireCall): number {
  return Math.floor(Date.parse(headers?.get('date') ?? '') / 1000) || 0
}

/** Stripe's own words for an error may name a customer, and its body a client secret: only codes are kept. */
function loggable(error: unknown) {
  if (!(error instanceof Stripe.errors.StripeError)) return { type: error instanceof Error ? error.name : 'unknown' }
  const { type, code, decline_code, param, statusCode, requestId } = error
  return { type, code, declineCode: decline_code, param, status: statusCode, gatewayRequestId: requestId }
}
