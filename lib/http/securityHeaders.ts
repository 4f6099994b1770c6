/**
 * The headers of every answer, whatever it holds: nothing that this service says may be cached, guessed at, or asked for over
 * plain HTTP. Two years is what browsers ask for before they ship a name in their own lists.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=63072000',
} as const
