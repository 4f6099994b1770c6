import { setTimeout as pause } from 'node:timers/promises'
import { createFaultQueue } from '../faults/faultQueue.ts'
import { faultAnswer } from '../faults/faults.ts'
import { withoutCardData } from '../params/cardData.ts'
import { formatForm, parseForm } from '../params/form.ts'
import type { AccountSettings } from '../state/context.ts'
import { mintId } from '../state/ids.ts'
import { defaultSettings } from '../state/settings.ts'
import type { State } from '../state/state.ts'
import { keyKindByPrefix } from '../wire/apiKey.ts'
import { StripeFault } from '../wire/errors.ts'
import { execute, prepare, refusalOutcome, type StripeRequest } from '../wire/execute.ts'
import { endpointOf } from '../wire/routes.ts'
import { type StripeAnswer, stripeAnswer, tooMany } from '../wire/stripeAnswer.ts'
import { createCalls } from './calls.ts'
import { createControl, type StripeControl } from './control.ts'
import type { Sleep } from './customerLock.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createRateLimiter } from './rateLimiter.ts'
import { createRequestLog, type LoggedRequest } from './requestLog.ts'

/** How to create an emulator. If time and randomness are the same, ids and dates are too. */
export interface CoreOptions {
  /** Real time in unix seconds (fractions are cut off). */
  now: () => number
  /** Uniform in [0, 1). */
  random: () => number
  /** The secret keys that are accepted. */
  secretKeys: readonly string[]
  /** The publishable keys that are accepted, for what Stripe.js needs. */
  publishableKeys?: readonly string[] | undefined
  settings?: Partial<AccountSettings> | undefined
  /** The address of the server for the links of invoices; asked for when an invoice is finalized. */
  apiBase?: (() => string) | undefined
  /** State saved by `snapshot()`. */
  snapshot?: unknown
  /** Called with every change when it is committed, as plain JSON for storage. */
  onChange?: ((change: object) => void) | undefined
  /** Called with each new warning, such as that of a version of another release. */
  warn?: ((message: string) => void) | undefined
  /** How answers and locks wait; rejects when `signal` is aborted. */
  sleep?: Sleep
  /** Sends the webhooks that are due and resolves when they are answered; for events that arrive before the answer of their call. */
  deliver?: (() => Promise<unknown>) | undefined
}

/** The emulator without I/O. */
export interface StripeCore extends Omit<Ledger, 'context' | 'commit' | 'store' | 'changeSettings'> {
  /** Answers an API request. Returns undefined when a fault cut the connection, or when `close` ended the wait for a delayed answer. */
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
  const ledger = createLedger({
    ...options,
    apiBase: options.apiBase ?? (() => 'http://127.0.0.1'),
    settings,
    trace: () => log.tail(20),
  })
  const closing = new AbortController()
  const sleep = options.sleep ?? ((milliseconds, signal) => pause(milliseconds, undefined, { signal }))
  const { deliver } = options
  const keys = { secret: options.secretKeys, publishable: options.publishableKeys ?? [] }
  const calls = createCalls({ ledger, keys, deliver, timing: { sleep, closing: closing.signal } })
  const faults = createFaultQueue()
  const limiter = createRateLimiter()

  function answerWith(row: LoggedRequest, outcome: Parameters<typeof stripeAnswer>[1], replayed = false) {
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
      params: withoutCardData({ ...parseForm(query), ...parseForm(request.body) }),
      key_type: keyKindByPrefix(request.headers.authorization),
      status: null,
      replayed: false,
    })
    const endpoint = endpointOf(request.method, path)
    const replays = key !== null && ledger.store().get('keys', key) !== undefined
    const fault = faults.take({ method: request.method, path, endpoint, replays })
    if (fault?.kind === 'drop_before') return undefined
    const limited = limiter.admit(ledger.settings().rateLimit, ledger.now(), `${request.method} ${endpoint}`)
    if (limited !== undefined) return tooMany(row, limited, ledger.now())
    if (fault?.kind === 'status' && !fault.saved && !fault.effect) return answerWith(row, faultAnswer(fault))
    const done = await calls.carryOut({ ...request, path, query, key, id: row.id, params: row.params }, fault)
    if (done === undefined || fault?.kind === 'drop_after') return undefined
    return answerWith(row, done, done.replayed)
  }

  function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    params: object = {},
  ): { status: number; body: unknown } {
    ledger.tick()
    try {
      const run = prepare({ method, path, query: '', body: formatForm(params) }, 'secret')
      const context = ledger.context({ id: null, idempotency_key: null })
      const { status, body } = calls.reported(execute(context, run, ledger.store(), ledger.commit))
      return { status, body: JSON.parse(body) }
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error
      const { status, body } = refusalOutcome(error, null, ledger.now())
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
