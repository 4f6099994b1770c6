import { setTimeout as pause } from 'node:timers/promises'
import type { AccountSettings, Context } from './context.ts'
import { createControl, type StripeControl } from './control.ts'
import { StripeFault } from './errors.ts'
import {
  checkSecretKey,
  defaultSettings,
  execute,
  type Outcome,
  prepare,
  refusalOutcome,
  type StripeRequest,
} from './execute.ts'
import { type Fault, faultAnswer, faultMatches } from './faults.ts'
import { formatForm, parseForm } from './form.ts'
import { fingerprint, savedAnswer } from './idempotency.ts'
import { mintId } from './ids.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createRequestLog, type LoggedRequest } from './requestLog.ts'
import { apiVersion } from './wire.ts'

/** What a stand-in is made of. Time and chance come from outside: the same ones give the same ids and dates. */
export interface CoreOptions {
  /** Real time in unix seconds (fractions are cut off). */
  now: () => number
  /** Uniform in [0, 1). */
  random: () => number
  /** Keys that are let in. */
  secretKeys: readonly string[]
  settings?: Partial<AccountSettings> | undefined
  /** State saved by `snapshot()`. */
  snapshot?: unknown
  /** How a delayed answer waits. */
  sleep?: (milliseconds: number) => Promise<unknown>
}

/** An answer to send, headers included. */
export interface StripeAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The stand-in without I/O. */
export interface StripeCore extends Omit<Ledger, 'context' | 'commit' | 'store' | 'settings'> {
  /** Answers one API request; undefined when a fault cut the connection. */
  handle(request: StripeRequest): Promise<StripeAnswer | undefined>
  /** The same request path for the embedder itself (seeding): no key, no fault, no log. Parameters as the SDK takes them. */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, params?: object): { status: number; body: unknown }
  control: StripeControl
}

/** Creates a stand-in. */
export function createStripeCore(options: CoreOptions): StripeCore {
  const settings = { ...defaultSettings, ...options.settings }
  const log = createRequestLog()
  const ledger = createLedger({ ...options, settings, trace: () => log.list().slice(-20) })
  const busy = new Set<string>()
  const sleep = options.sleep ?? pause
  let faults: Fault[] = []

  function takeFault(method: string, path: string, replays: boolean): Fault | undefined {
    const fault = faults.find(
      (candidate) =>
        faultMatches(candidate, method, path) && !(replays && candidate.kind === 'status' && candidate.saved),
    )
    if (fault === undefined) return undefined
    faults = faults.flatMap((other) =>
      other !== fault ? [other] : other.times > 1 ? [{ ...other, times: other.times - 1 }] : [],
    )
    return fault
  }

  function carryOut(
    context: Context,
    request: StripeRequest,
    path: string,
    query: string,
    fault: Fault | undefined,
  ): Outcome & { replayed: boolean } {
    const key = request.method === 'POST' ? context.request.idempotency_key : null
    const injected = fault?.kind === 'status' ? { ...faultAnswer(fault), executed: true } : undefined
    try {
      checkSecretKey(request.headers.authorization, options.secretKeys)
      const run = prepare(request.method, path, query, request.body)
      const print = fingerprint(request.method, path, request.body)
      const saved = key === null ? undefined : savedAnswer(ledger.store(), busy, key, print)
      if (saved !== undefined) return { status: saved.status, body: saved.body, executed: true, replayed: true }
      const real = injected && !fault?.effect ? injected : execute(context, run, ledger.store(), ledger.commit)
      const kept = injected && fault?.saved ? injected : real
      if (key !== null && kept.executed) {
        const first_used = context.now
        ledger.store().put('keys', { id: key, fingerprint: print, status: kept.status, body: kept.body, first_used })
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
    { status, body }: { status: number; body: string },
    replayed: boolean,
  ): StripeAnswer {
    row.status = status
    row.replayed = replayed
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      date: new Date(ledger.now() * 1000).toUTCString(),
      'request-id': row.id,
      'stripe-version': apiVersion,
    }
    if (row.idempotency_key !== null) headers['idempotency-key'] = row.idempotency_key
    if (replayed) headers['idempotent-replayed'] = 'true'
    return { status, headers, body }
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
    const fault = takeFault(request.method, path, key !== null && ledger.store().get('keys', key) !== undefined)
    if (fault?.kind === 'drop_before') return undefined
    if (fault?.kind === 'status' && !fault.saved && !fault.effect) return answerWith(row, faultAnswer(fault), false)
    const context = ledger.context({ id: row.id, idempotency_key: key })
    const { replayed, ...outcome } = carryOut(context, request, path, query, fault)
    if (fault?.kind === 'delay') {
      if (key !== null) busy.add(key)
      await sleep(fault.delay_ms)
      if (key !== null) busy.delete(key)
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
      const { status, body } = execute(
        ledger.context({ id: null, idempotency_key: null }),
        run,
        ledger.store(),
        ledger.commit,
      )
      return { status, body: JSON.parse(body) }
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error
      const { status, body } = refusalOutcome(error)
      return { status, body: JSON.parse(body) }
    }
  }

  const control = createControl(ledger, {
    requests: log.list,
    clearRequests: log.clear,
    addFault: (fault) => faults.push(fault),
    clearFaults: () => {
      faults = []
    },
    faults: () => faults,
  })
  function reset(): void {
    ledger.reset()
    log.clear()
    faults = []
  }

  return { ...ledger, reset, handle, call, control }
}
