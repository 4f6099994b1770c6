import type { RawParams } from '../params/form.ts'
import type { ParamNames } from '../params/paramNames.ts'
import type { ParamsOf } from '../params/params.ts'
import type { Context } from '../state/context.ts'

/** An endpoint. `prepare` checks parameters before the idempotency layer; the `execute` it returns runs after it. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  params(): ParamNames
  /** Whether its writes are undone after the answer. */
  previews?: boolean
  /** What a publishable key needs: nothing more, or the client secret of the intent in the path. If absent, publishable keys are refused. */
  browsers?: 'any' | 'setup_intents' | 'payment_intents'
  /** Whether Stripe's own command line uses the endpoint, and no document of Stripe's API has it. */
  unlisted?: boolean
  /** Whether the endpoint is not part of Stripe's API: Stripe's own script and the bank use it between themselves. */
  onlyStripeJs?: boolean
  prepare(
    raw: RawParams,
    version?: string,
  ): { expand: string[]; execute: (context: Context, id: string, inner: string) => object }
}

/**
 * Declares an endpoint: `:id` in `path` is passed to `run`, and the path's second id (empty text if there is none). `run` returns an
 * unexpanded wire object.
 */
export function route<Parsed>(
  method: Route['method'],
  path: string,
  params: ParamsOf<Parsed>,
  run: (context: Context, sent: Parsed, id: string, inner: string) => object,
): Route {
  return {
    method,
    path,
    params: params.names,
    prepare(raw, version) {
      const { sent, expand } = params.parse(raw, version)
      return { expand, execute: (context, id, inner) => run(context, sent, id, inner) }
    },
  }
}

/** Lets Stripe.js call an endpoint with a publishable key. */
export function forBrowsers(browsers: NonNullable<Route['browsers']>, own: Route): Route {
  return { ...own, browsers }
}

/** Marks an endpoint that only Stripe's command line knows. */
export function unlisted(own: Route): Route {
  return { ...own, unlisted: true }
}

/** Declares an endpoint that only Stripe.js calls, with a publishable key and the client secret of the intent in the path. */
export function stripeJsRoute<Parsed>(
  browsers: NonNullable<Route['browsers']>,
  path: string,
  params: ParamsOf<Parsed>,
  run: (context: Context, sent: Parsed, id: string) => object,
): Route {
  return { ...route('POST', path, params, run), browsers, onlyStripeJs: true }
}

/** Declares an endpoint that answers as a write would, and writes nothing: the writes of `run` are undone. */
export function previewRoute<Parsed>(
  path: string,
  params: ParamsOf<Parsed>,
  run: (context: Context, sent: Parsed) => object,
): Route {
  return { ...route('POST', path, params, run), previews: true }
}
