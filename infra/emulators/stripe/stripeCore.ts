import { setTimeout as pause } from 'node:timers/promises'
import { createControl, type StripeControl } from './control.ts'
import { createFaultQueue } from './faults/faultQueue.ts'
import { type Fault, faultAnswer } from './faults/faults.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { AccountSettings, Context } from './state/context.ts'
import { mintId } from './state/ids.ts'
import { defaultSettings } from './state/settings.ts'
import type { State } from './state/state.ts'
import { StripeFault } from './wire/errors.ts'
import {
  checkSecretKey,
  execute,
  type Outcome,
  prepare,
  refusalOutcome,
  type StripeRequest,
  violationOutcome,
} from './wire/execute.ts'
import { formatForm, parseForm } from './wire/form.ts'
import { fingerprint, savedAnswer } from './wire/idempotency.ts'
import { createRateLimiter } from './wire/rateLimiter.ts'
import { createRequestLog, type LoggedRequest } from './wire/requestLog.ts'
import { endpointOf } from './wire/routes.ts'
import { type StripeAnswer, stripeAnswer, tooMany } from './wire/stripeAnswer.ts'

/** How to create an emulator. Time and randomness are passed in: the same ones give the same ids and dates. */
export interface CoreOptions {
  /** Real time in unix seconds (fractions are cut off). */
  now: () => number
  /** Uniform in [0, 1). */
  random: () => number
  /** The secret keys that are accepted. */
  secretKeys: readonly string[]
  settings?: Partial<AccountSettings> | undefined
  /** State saved by `snapshot()`. */
  snapshot?: unknown
  /** How a delayed answer waits; rejects when `signal` is aborted. */
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

/** The emulator without I/O. */
export interface StripeCore extends Omit<Ledger, 'context' | 'commit' | 'store' | 'changeSettings'> {
  /** Answers one API request. Returns undefined when a fault cut the connection, or `close` ended the wait for a delayed answer. */
  handle(request: StripeRequest): Promise<StripeAnswer | undefined>
  /** The same request path for the embedder itself (seeding): no key, no fault, no limit, no log. Parameters as the SDK takes them. */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, params?: object): { status: number; body: unknown }
  control: StripeControl
  /** Cancels the answers that are still delayed. */
  close(): void
}

export function createStripeCore(options: CoreOptions): StripeCore {
  const settings = { ...defaultSettings, ...options.settings }
  const log = createRequestLog()
  const ledger = createLedger({ ...options, settings, trace: () => log.tail(20) })
  const busy = new Set<string>()
  const closing = new AbortController()
  const sleep = options.sleep ?? ((milliseconds, signal) => pause(milliseconds, undefined, { signal }))
  const faults = createFaultQueue()
  const limiter = createRateLimiter()

  /** `real`, or the 500 for violations that no answer has reported yet. */
  function checked(real: Outcome): Outcome {
    const broken = ledger.takeUnreported()
    return broken.length === 0 ? real : violationOutcome(broken)
  }

  function executeOnce(
    context: Context,
    request: StripeRequest,
    path: string,
    query: string,
    fault: Fault | undefined,
  ): Outcome & { replayed: boolean; original?: string } {
    const key = request.method === 'POST' ? context.request.idempotency_key : null
    const injected = fault?.kind === 'status' ? { ...faultAnswer(fault), saved: true } : undefined
    try {
      checkSecretKey(request.headers.authorization, options.secretKeys)
      const run = prepare(request.method, path, query, request.body)
      const print = fingerprint(request.method, path, request.body)
      const saved = key === null ? undefined : savedAnswer(ledger.store(), busy, key, print)
      if (saved !== undefined)
        return { status: saved.status, body: saved.body, saved: true, replayed: true, original: saved.request }
      const done = injected && !fault?.effect ? injected : execute(context, run, ledger.store(), ledger.commit)
      // An answer that is lost or replaced reports no violation: the next one does.
      const real = injected || fault?.kind === 'drop_after' ? done : checked(done)
      const kept = injected && fault?.saved ? injected : real
      if (key !== null && kept.saved) {
        const first_used = context.now
        ledger.store().put('keys', {
          id: key,
          fingerprint: print,
          status: kept.status,
          body: kept.body,
          first_used,
          request: context.request.id ?? '',
        })
        ledger.commit()
      }
      return { ...(injected ?? real), replayed: false }
    } catch (error) {
      if (error instanceof StripeFault) return { ...refusalOutcome(error), replayed: false }
      throw error
    }
  }

  function answerWith(
    row: LoggedRequest,
    outcome: { status: number; body: string; original?: string },
    replayed: boolean,
  ) {
    return stripeAnswer(row, outcome, { replayed, now: ledger.now() })
  }

  async function handle(request: StripeRequest): Promise<StripeAnswer | undefined> {
    ledger.tick()
    const [path = '', query = ''] = request.path.split('?', 2)
    const key = request.headers['idempotency-key'] ?? null
    const row = log.add({
      id: mintId(options.random, 'req'),
      at: ledger.now(),
      method: request.method,
      path,
      idempotency_key: key,
      params: { ...parseForm(query), ...parseForm(request.body) },
      status: null,
      replayed: false,
    })
    const endpoint = endpointOf(request.method, path)
    const replays = key !== null && ledger.store().get('keys', key) !== undefined
    const fault = faults.take({ method: request.method, path, endpoint, replays })
    if (fault?.kind === 'drop_before') return undefined
    const limited = limiter.admit(ledger.settings().rateLimit, ledger.now(), `${request.method} ${endpoint}`)
    if (limited !== undefined) return tooMany(row, limited, ledger.now())
    if (fault?.kind === 'status' && !fault.saved && !fault.effect) return answerWith(row, faultAnswer(fault), false)
    const context = ledger.context({ id: row.id, idempotency_key: key })
    const { replayed, ...outcome } = executeOnce(context, request, path, query, fault)
    if (fault?.kind === 'delay') {
      if (key !== null) busy.add(key)
      const waited = await sleep(fault.delay_ms, closing.signal).then(
        () => true,
        () => false,
      )
      if (key !== null) busy.delete(key)
      if (!waited) return undefined
    }
    if (fault?.kind === 'drop_after') return undefined
    return answerWith(row, outcome, replayed)
  }

  function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    params: object = {},
  ): { status: number; body: unknown } {
    ledger.tick()
    try {
      const run = prepare(method, path, '', formatForm(params))
      const context = ledger.context({ id: null, idempotency_key: null })
      const { status, body } = checked(execute(context, run, ledger.store(), ledger.commit))
      return { status, body: JSON.parse(body) }
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error
      const { status, body } = refusalOutcome(error)
      return { status, body: JSON.parse(body) }
    }
  }

  const control = createControl(ledger, faults, log)
  function reset(seeded?: State): void {
    ledger.reset(seeded)
    ledger.changeSettings(settings)
    log.clear()
    faults.clear()
  }

  return { ...ledger, reset, handle, call, control, close: () => closing.abort() }
}
