/** Headers that let a page of any origin read the API's answers, as at Stripe: the key decides what the page may do, and no cookie is ever read. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Request-Id, Stripe-Should-Retry, Idempotent-Replayed, Original-Request',
} as const

/** The answer when a browser asks before it calls the API from another origin. It needs no key. */
export function preflightHeaders(requested: string | undefined): Record<string, string> {
  return {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE',
    'access-control-allow-headers': requested ?? 'Authorization, Content-Type, Idempotency-Key, Stripe-Version',
    'access-control-max-age': '300',
  }
}
