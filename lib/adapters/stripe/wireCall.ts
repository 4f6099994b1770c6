import { AsyncLocalStorage } from 'node:async_hooks'
import * as z from 'zod'
import type { GatewayAnswer } from '../../billing/gatewayAnswer.ts'
import { classifyError } from './classifyError.ts'

/** The limits of one call and what it has sent so far; it spans the SDK's retries. */
interface WireCall {
  attempts: number
  mayStart(): boolean
  /** Aborts what is under way when the call's time is over. */
  signal: AbortSignal | undefined
}

const wireCalls = new AsyncLocalStorage<WireCall>()

/** `fetch` that counts the attempts of the call it runs in, and starts none past the call's limits. */
export const limitedFetch: typeof fetch = async (input, init) => {
  const call = wireCalls.getStore()
  if (!call) return fetch(input, init)
  if (!call.mayStart()) throw new Error('Not sent: the time for this call is over')
  call.attempts += 1
  const signals = [init?.signal, call.signal].filter((signal) => signal !== null && signal !== undefined)
  return fetch(input, { ...init, signal: AbortSignal.any(signals) })
}

/** A Stripe object carries the headers that it came with. */
const withResponse = z.object({ lastResponse: z.object({ headers: z.record(z.string(), z.string()) }) })

function isReplayed(answer: object): boolean {
  const { data } = withResponse.safeParse(answer)
  return data?.lastResponse.headers['idempotent-replayed'] === 'true'
}

/** The gateway's clock when it answered, Unix seconds. */
export function answeredAt(answer: object): number {
  const { lastResponse } = withResponse.parse(answer)
  return Math.floor(Date.parse(lastResponse.headers.date ?? '') / 1000)
}

export interface WireLimits {
  mayStart?: () => boolean
  /** Milliseconds from now after which everything is aborted. */
  abortAfter?: number
  /** For a call whose key decides whether it happens twice: whether an earlier invocation may have sent that key. */
  key?: { resend: boolean }
}

/** Runs one SDK call and says what it came to, in the words of `classifyError`. Never throws. */
export async function callGateway<Answer extends object, Value>(
  call: () => Promise<Answer>,
  read: (answer: Answer) => Value,
  limits: WireLimits = {},
): Promise<GatewayAnswer<Value>> {
  const wireCall: WireCall = {
    attempts: 0,
    mayStart: limits.mayStart ?? (() => true),
    signal: limits.abortAfter === undefined ? undefined : AbortSignal.timeout(Math.max(0, limits.abortAfter)),
  }
  try {
    const answer = await wireCalls.run(wireCall, call)
    return { kind: 'ok', value: read(answer), replayed: isReplayed(answer) }
  } catch (error) {
    return classifyError(error, {
      sentBefore: limits.key !== undefined && (limits.key.resend || wireCall.attempts > 1),
    })
  }
}
