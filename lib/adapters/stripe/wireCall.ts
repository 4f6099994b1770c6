import { AsyncLocalStorage } from 'node:async_hooks'
import pRetry from 'p-retry'
import Stripe from 'stripe'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../log/logger.ts'
import { classifyError } from './classifyError.ts'

/** The limits of a call and its state on the wire so far, across the SDK's retries. */
interface WireCall {
  attempts: number
  /** Attempts that may have been executed, except if an answer excludes it. */
  uncertain: number
  /** Attempts that were answered with a 500. */
  failed: number
  /** When the latest attempt was sent, Unix milliseconds. */
  sentAt: number
  mayStart(): boolean
  /** Aborts the attempt under way when the call's time is over. */
  signal: AbortSignal | undefined
  /** The latest answer. */
  answer: Answered | undefined
}

const wireCalls = new AsyncLocalStorage<WireCall>()

/** The status and the headers of an answer. */
export interface Answered {
  readonly status: number
  /** A header's value by its name in lower case; undefined or null if there is none. */
  header(name: string): string | null | undefined
}

/**
 * Sends and counts the attempt, except if the current call is past its limits. Outside of any call it only sends.
 * @param send gets a signal that aborts it when the call's time is over, and resolves when the answer begins
 */
export async function limited<Answer extends Answered>(
  send: (signal: AbortSignal | undefined) => Promise<Answer>,
): Promise<Answer> {
  const call = wireCalls.getStore()
  if (!call) return send(undefined)
  if (!call.mayStart()) throw new Error('Not sent: the time for this call is over')
  call.attempts += 1
  call.uncertain += 1
  call.sentAt = Date.now()
  const answer = await send(call.signal)
  call.answer = answer
  if (isNotExecuted(answer)) call.uncertain -= 1
  if (answer.status === 500) call.failed += 1
  return answer
}

/**
 * Refused before Stripe looked at the key, or by a limit or lock: this attempt executed nothing. A 402 comes from executing it, a 409 from
 * another attempt under way, a replayed answer from an earlier attempt. If a 409 or 429 is replayed, that earlier attempt executed nothing.
 */
function isNotExecuted(answer: Answered): boolean {
  const { status } = answer
  if (status === 429) return true
  const replayed = answer.header('idempotent-replayed') === 'true'
  return status === 409 ? replayed : status >= 400 && status < 500 && status !== 402 && !replayed
}

/** Another request holds the lock of an object, such as the customer: nothing was executed, and soon it may be. */
export function isLocked(error: Error): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'lock_timeout'
}

/**
 * Stripe releases a lock within seconds. The waits are 0.2, 0.4, 0.8 and 1.6 s, somewhat random so that two callers do not collide again.
 */
export const whileLocked = { retries: 4, minTimeout: 200, factor: 2, randomize: true }

export interface WireLimits {
  mayStart?: () => boolean
  /** Milliseconds from now after which everything is aborted. */
  abortAfter?: number
  /** For a call with an idempotency key: if an earlier invocation may have sent that key. */
  key?: { resend: boolean }
}

/**
 * Runs an SDK call and returns its result in the terms of `classifyError`. Never throws.
 * @param read reduces the answer; `coveredUntil` is the gateway's clock when the request was sent, Unix seconds
 */
export type GatewayCall = <Answer, Value>(
  call: () => Promise<Answer>,
  read: (answer: Answer, coveredUntil: number) => Value,
  limits?: WireLimits,
) => Promise<GatewayAnswer<Value>>

/** Reads the answer of a call whose success is all that matters. */
export const noValue = () => null

/**
 * Stripe calls with their attempts counted and their failures classified and logged.
 * @param retry how a locked call is tried again; `minTimeout` in milliseconds
 */
export function createGatewayCall(logger: Logger, retry: typeof whileLocked = whileLocked): GatewayCall {
  return async (call, read, { mayStart = () => true, abortAfter, key } = {}) => {
    const signal = abortAfter === undefined ? undefined : AbortSignal.timeout(Math.max(0, abortAfter))
    const wireCall: WireCall = { attempts: 0, uncertain: 0, failed: 0, sentAt: 0, mayStart, signal, answer: undefined }
    try {
      const answer = await wireCalls.run(wireCall, () =>
        pRetry(() => withoutStack(call), {
          ...retry,
          shouldRetry: ({ error }) => isLocked(error) && mayStart(),
          ...(signal && { signal }),
        }),
      )
      const replayed = wireCall.answer?.header('idempotent-replayed') === 'true'
      return { kind: 'ok', value: read(answer, coveredUntil(wireCall)), replayed }
    } catch (error) {
      // Attempts that executed nothing do not count.
      const sentBefore = key !== undefined && (key.resend || wireCall.uncertain > 0)
      const failure = classifyError(error, { sentBefore, failedBefore: wireCall.failed > 1 })
      logger.warn('Gateway call failed', { outcome: failure.kind, attempts: wireCall.attempts, ...loggable(error) })
      return failure.kind === 'unknown' && wireCall.uncertain === 0 ? { ...failure, notExecuted: true } : failure
    }
  }
}

/**
 * The SDK records a stack for each call in case it fails, but this service keeps only codes. `run` is called at once;
 * later errors record their stacks as usual.
 */
function withoutStack<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * The gateway's clock when the request was sent: an answer may hold nothing newer. Its `Date` less the time that it took and a second,
 * because the header has no fractions. If the answer has no date, it covers nothing, and every event will be fetched.
 */
function coveredUntil({ answer, sentAt }: WireCall): number {
  const date = Date.parse(answer?.header('date') ?? '') / 1000
  return Math.ceil(date - (Date.now() - sentAt) / 1000 - 1) || 0
}

/** Stripe's own words for an error may name a customer, and its body a client secret: only codes are kept. */
function loggable(error: unknown) {
  if (!(error instanceof Stripe.errors.StripeError)) return { type: error instanceof Error ? error.name : 'unknown' }
  const { type, code, decline_code, param, statusCode, requestId } = error
  return { type, code, declineCode: decline_code, param, status: statusCode, gatewayRequestId: requestId }
}

/** Limits for a group of reads that share a deadline. */
export function readLimits(clock: Clock, answerBy: number | undefined): WireLimits {
  if (answerBy === undefined) return {}
  return { mayStart: () => clock.now() < answerBy, abortAfter: answerBy - clock.now() }
}
