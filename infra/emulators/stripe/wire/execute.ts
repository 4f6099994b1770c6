import { parseForm } from '../params/form.ts'
import type { Context } from '../state/context.ts'
import type { Violation } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import type { KeyKind } from './apiKey.ts'
import { StripeFault } from './errors.ts'
import { render } from './expand.ts'
import { accessTo } from './keyAccess.ts'
import { findRoute } from './routes.ts'

/** A request as the adapter hands it over. `path` may carry a query; header names are lower case. */
export interface StripeRequest {
  method: string
  path: string
  headers: Record<string, string | undefined>
  body: string
}

/** Status and JSON text of an answer. */
export interface Outcome {
  status: number
  body: string
  /** Whether its idempotency key keeps it. */
  saved: boolean
  /** Whether it is the emulator's own 501, which no repetition changes. */
  uncovered?: boolean
}

function outcome(status: number, body: unknown, saved: boolean): Outcome {
  return { status, body: JSON.stringify(body, null, 2), saved }
}

/**
 * Whether a key keeps a refusal: a declined card and a 500 of the work are kept. Invalid parameters, missing objects, conflicts, limits and
 * the emulator's own 501 are not (https://docs.stripe.com/error-low-level).
 */
function isSaved(status: number): boolean {
  return status === 402 || status === 500
}

/** The pages on which Stripe explains an error's code and logs its request; nothing if only the emulator has the error. */
function links({ status, body: { code } }: StripeFault, request: string | null, now: number): object {
  if (status === 501) return {}
  return {
    ...(code !== undefined && { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
    ...(request !== null &&
      status !== 401 && { request_log_url: `https://dashboard.stripe.com/test/logs/${request}?t=${now}` }),
  }
}

/** The outcome of a refusal, which names its request. */
export function refusalOutcome(fault: StripeFault, request: string | null, now: number): Outcome {
  const { status, body } = fault
  const refused = outcome(status, { error: { ...body, ...links(fault, request, now) } }, isSaved(status))
  return status === 501 ? { ...refused, uncovered: true } : refused
}

/** The 500 when a write broke a money rule. Its writes stay, as they would at Stripe, so a caller's own checks find the violation too. */
export function violationOutcome(violations: Violation[]): Outcome {
  const list = violations.map(({ id, rule, message }) => `${rule}: ${message} (${id})`).join('; ')
  const message = `The books are broken. ${list}. The requests that led to it are in the trace.`
  return outcome(500, { error: { type: 'api_error', code: 'books_violated', message, violations } }, true)
}

/**
 * Finds the endpoint of a request and checks its parameters. If the key is publishable, the request may do only what Stripe.js may, and the
 * answer shows only what a browser may see. Throws StripeFault when a check fails.
 */
export function prepare(
  request: Pick<StripeRequest, 'method' | 'path' | 'body'> & { query: string; version?: string | undefined },
  key: KeyKind,
): (context: Context) => object {
  const { method, path, query, body, version } = request
  const { route, ids } = findRoute(method, path)
  const raw = { ...parseForm(query), ...parseForm(body) }
  const access = accessTo(route, key, raw)
  const [id = '', inner = ''] = ids
  const { expand, execute } = route.prepare(access.params, version)
  return (context) =>
    access.limit(context, id, () => {
      const answer: unknown = render(context, execute(context, id, inner), expand)
      if (route.previews) context.store.rollback()
      return typeof answer === 'object' && answer !== null ? answer : {}
    })
}

/**
 * Runs a prepared request. `commit` commits what it wrote; if it was refused, its writes are undone. An unexpected error is Stripe's 500,
 * with nothing kept.
 */
export function execute(
  context: Context,
  run: (context: Context) => object,
  store: Store,
  commit: () => void,
): Outcome {
  try {
    const answer = run(context)
    commit()
    return outcome(200, answer, true)
  } catch (error) {
    if (error instanceof StripeFault) {
      if (error.keepWrites) commit()
      else store.rollback()
      return refusalOutcome(error, context.request.id, context.now)
    }
    store.rollback()
    const message = `An unexpected error occurred in the emulator: ${error instanceof Error ? error.stack : String(error)}`
    return outcome(500, { error: { type: 'api_error', message } }, true)
  }
}
