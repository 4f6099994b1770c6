import Stripe from 'stripe'
import { createStripeCore, type StripeCore } from 'stripe-emulator'
import { limited } from '../../../lib/adapters/stripe/wireCall.ts'
import { answerHost, type WireRequest } from './worldFetch.ts'
import type { VirtualClock } from './worldTime.ts'

const SECRET_KEY = 'sk_test_world'

/** What happens to the next request on the wire. */
export type WireFault =
  | 'rate limit'
  | 'key in use'
  | 'late'
  | 'saved 500'
  | 'saved 500 after the effect'
  | 'locked'
  | { before: () => Promise<void> }
  | { after: () => Promise<void> }

export const PREVIEW = '/v1/invoices/create_preview'

/** Whether a request writes nothing; a preview does not, though it is a POST. */
export function isRead({ method, path }: Pick<WireRequest, 'method' | 'path'>): boolean {
  return method === 'GET' || path === PREVIEW
}

/** Wait for a write: a call may look before it writes; a read is not locked, owes nothing, and its key keeps nothing. */
function isOfWrites(fault: WireFault): boolean {
  if (typeof fault === 'object') return 'after' in fault
  return ['late', 'saved 500', 'saved 500 after the effect', 'locked'].includes(fault)
}

/** Stripe in this process, behind the real SDK. */
export interface WorldStripe {
  readonly core: StripeCore
  readonly sdk: Stripe
  /** Meets the next request that is sent, or the next write that is. */
  faultNext(fault: WireFault): void
  /** The fault that no request has met. */
  takeFault(): WireFault | undefined
  /** When the next request that was given up arrives, Unix milliseconds. */
  nextArrival(): number | undefined
  /** Carries out the requests that were given up and have arrived by now. */
  arrive(): Promise<void>
  close(): void
}

interface Hooks {
  clock: VirtualClock
  random: () => number
  /** Told of every request that Stripe carried out, after it was. */
  carriedOut(request: WireRequest, answer: { status: number; body: string }): void
}

/** How long the adapter waits for an answer, and when a request that was given up still arrives. Milliseconds. */
const GIVEN_UP = 8000
const ARRIVES = 46_000

/** The SDK behind a host of its own. */
interface Line {
  host: string
  sdk: Stripe
}

/** Those of worlds that are closed: to set one up takes longer than a request. */
const free: Line[] = []
let opened = 0

/** A 500 gets a second attempt, as of the SDK: it shows whether Stripe stored it. */
const limitedFetch: typeof fetch = async (input, init) => {
  const response = await attempt(input, init)
  return response.status === 500 ? attempt(input, init) : response
}

/** `fetch` within the limits of the adapter's calls. */
const attempt: typeof fetch = async (input, init) => {
  const { response } = await limited(async (signal) => {
    const signals = [init?.signal, signal].filter((one) => one !== null && one !== undefined)
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
    return { response, status: response.status, header: (name) => response.headers.get(name) }
  })
  return response
}

function newLine(): Line {
  opened += 1
  const host = `world-${opened}.invalid`
  const sdk = new Stripe(SECRET_KEY, {
    httpClient: Stripe.createFetchHttpClient(limitedFetch),
    // The SDK sleeps between attempts in real time; what else it sends twice is the fault `duplicated`.
    maxNetworkRetries: 0,
    telemetry: false,
    protocol: 'http',
    host,
    port: '80',
  })
  return { host, sdk }
}

export function createWorldStripe({ clock, random, carriedOut }: Hooks): WorldStripe {
  const core = createStripeCore({
    now: () => clock.now() / 1000,
    random,
    secretKeys: [SECRET_KEY],
    settings: { oneLivePer: ['organization_id', 'product'] },
  })
  let fault: WireFault | undefined
  let underway: { at: number; request: WireRequest }[] = []

  async function carryOut(request: WireRequest): Promise<Response> {
    const answer = await core.handle(request)
    if (!answer) throw new TypeError('the connection was cut')
    carriedOut(request, answer)
    return new Response(answer.body, { status: answer.status, headers: answer.headers })
  }

  async function answerOf(request: WireRequest): Promise<Response> {
    if (isRead(request) && fault && isOfWrites(fault)) return carryOut(request)
    const met = fault
    fault = undefined
    if (met === 'rate limit') return refusal(429, 'invalid_request_error', 'rate_limit', clock)
    if (met === 'locked') return refusal(429, 'invalid_request_error', 'lock_timeout', clock)
    if (met === 'key in use') return refusal(409, 'idempotency_error', 'idempotency_key_in_use', clock)
    if (met === 'late') {
      underway.push({ at: clock.now() + ARRIVES, request })
      clock.advance(GIVEN_UP)
      throw new TypeError('the answer took too long')
    }
    if (met === 'saved 500' || met === 'saved 500 after the effect') {
      const kept = { kind: 'status', status: 500, saved: true, effect: met !== 'saved 500' } as const
      core.control.faults.add({ ...kept, method: request.method, path: request.path, times: 1, delay_ms: 0 })
      // A key that holds an answer already replays it and leaves the fault where it is.
      return carryOut(request).finally(core.control.faults.clear)
    }
    if (met && 'before' in met) await met.before()
    const answer = await carryOut(request)
    if (met && 'after' in met) await met.after()
    return answer
  }

  const line = free.pop() ?? newLine()
  const { close } = answerHost(line.host, answerOf)

  return {
    core,
    sdk: line.sdk,
    faultNext(next) {
      fault = next
    },
    takeFault() {
      const left = fault
      fault = undefined
      return left
    },
    nextArrival: () => underway.map(({ at }) => at).toSorted((one, other) => one - other)[0],
    async arrive() {
      const due = underway.filter(({ at }) => at <= clock.now())
      underway = underway.filter(({ at }) => at > clock.now())
      for (const { request } of due) await carryOut(request).catch(() => undefined)
    },
    close() {
      if (close()) free.push(line)
    },
  }
}

function refusal(status: number, type: string, code: string, clock: VirtualClock): Response {
  const headers = { 'content-type': 'application/json', date: new Date(clock.now()).toUTCString() }
  return new Response(JSON.stringify({ error: { type, code, message: code } }), { status, headers })
}
