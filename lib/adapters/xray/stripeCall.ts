import { failureMembers } from './failure.ts'

/** One request to Stripe. */
export interface StripeCall {
  readonly host: string
  readonly method: string
  /** With its query. */
  readonly path: string
}

/** What Stripe calls its resources and what is done to them. The rest of a path is someone's id, or a code. */
const WORDS = new Set(
  `v1 coupons create_preview customers detach disputes events finalize invoice_payments invoices pay payment_intents payment_methods prices
  promotion_codes refunds setup_intents subscriptions tax_ids void`.split(/\s+/),
)

/**
 * What a document says of a request: where it went, without ids and query, and what became of it.
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html#api-segmentdocuments-http
 */
export function stripeMembers(call: StripeCall, outcome: { status: number } | { error: unknown }): object {
  const [path = ''] = call.path.split('?', 1)
  const words = path.split('/').map((segment) => (segment === '' || WORDS.has(segment) ? segment : ':id'))
  const status = 'status' in outcome ? outcome.status : undefined
  return {
    http: {
      request: { method: call.method, url: `https://${call.host}${words.join('/')}` },
      ...(status !== undefined && { response: { status } }),
    },
    ...failureMembers(status, 'error' in outcome ? outcome.error : undefined),
  }
}
