import type { ErrorCode } from '../../lib/http/answer/errorAnswers.ts'
import type { AnswerHeader } from '../../lib/http/contract.ts'
import type { Operation } from './operation.ts'

/** Headers of every answer, described once in the document. HTTP and API Gateway add their own. */
export const everywhere = {
  'cache-control': '`no-store`, unless the answer says otherwise',
  'strict-transport-security': 'two years',
  'x-content-type-options': '`nosniff`',
  'x-request-id': 'the request’s id, for support',
} as const

const text = { schema: { type: 'string' } } as const

/** The headers under `components`. */
export const headers = {
  RetryAfter: { description: 'Seconds to wait', required: true, schema: { type: 'integer', minimum: 1 } },
  Deprecation: {
    description: 'When the removal was announced, as `@` and Unix seconds (RFC 9745)',
    required: true,
    ...text,
  },
  Sunset: { description: 'When the operation is removed, as a date of HTTP (RFC 8594)', required: true, ...text },
  RateLimit: {
    description:
      '`"operation";r=19;t=42`: how many more requests this operation takes from you, and after how many seconds all of them again (draft-ietf-httpapi-ratelimit-headers-10). Left out if the request could not be counted',
    ...text,
  },
  RateLimitPolicy: {
    description: '`"operation";q=20;w=60`: how many requests this operation takes from you in how many seconds',
    ...text,
  },
  RetryLater: { description: 'Seconds to wait, if waiting helps', schema: { type: 'integer', minimum: 1 } },
  BearerChallenge: {
    description: '`Bearer`; with `error="invalid_token"` if a token was sent (RFC 6750 §3)',
    required: true,
    ...text,
  },
  StepUpChallenge: {
    description:
      '`Bearer`. If a token was sent but is not valid: `error="invalid_token"` (RFC 6750 §3). If the token is valid but its sign-in is not enough: `error="insufficient_user_authentication"` with `max_age` if it is too old, and with `acr_values` if it lacks a second factor or, as `sso:` and the id of an organization, its single sign-on. Send the user to the authorization endpoint with these parameters (RFC 9470 §4)',
    required: true,
    ...text,
  },
  ScopeChallenge: {
    description:
      'If the code is `insufficient_scope`: `Bearer error="insufficient_scope"` with the required `scope` (RFC 6750 §3)',
    ...text,
  },
  BasicChallenge: { description: 'Only if the request used HTTP Basic', ...text },
  Pragma: { description: '`no-cache`, for caches of HTTP/1.0 (RFC 6749 §5.1)', required: true, ...text },
  Location: {
    description: 'The URI of the new resource',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: { description: 'The version of the resource, for `If-None-Match` or `If-Match`', required: true, ...text },
  CacheControl: { description: '`public`, with the seconds in `max-age`', required: true, ...text },
  ContentDisposition: { description: '`attachment`, with a file name', required: true, ...text },
  ContentEncoding: { description: '`br` or `gzip`, if the request accepts it', ...text },
  SetCookie: {
    description:
      'Marks a browser as known to the account: it grants nothing, but its password attempts are counted separately',
    ...text,
  },
  Vary: { description: '`accept-encoding`', required: true, ...text },
} as const

const components = {
  'Cache-Control': 'CacheControl',
  'Content-Disposition': 'ContentDisposition',
  'Content-Encoding': 'ContentEncoding',
  ETag: 'ETag',
  Location: 'Location',
  'Retry-After': 'RetryLater',
  'Set-Cookie': 'SetCookie',
  Vary: 'Vary',
} as const satisfies Record<AnswerHeader, keyof typeof headers>

type References = Record<string, { $ref: `#/components/headers/${keyof typeof headers}` }>

function refer(name: keyof typeof headers): References[string] {
  return { $ref: `#/components/headers/${name}` }
}

/** The headers of a status beside `everywhere`: those that follow from status and caller, and those that the contract lists. */
export function headersOf({ row, contract }: Operation, status: number, codes: readonly ErrorCode[]): References {
  const isForClients = row.caller === 'client'
  const listed = (contract.answerHeaders?.[status] ?? []).map((name) => [name, refer(components[name])] as const)
  return {
    ...(isForClients && status === 200 && { Pragma: refer('Pragma') }),
    ...(status === 401 && codes.includes('unauthorized') && { 'WWW-Authenticate': refer(challengeOf(codes)) }),
    ...(codes.includes('insufficient_scope') && { 'WWW-Authenticate': refer('ScopeChallenge') }),
    ...(status === 401 && isForClients && { 'WWW-Authenticate': refer('BasicChallenge') }),
    ...Object.fromEntries(listed),
    ...(contract.deprecated && { Deprecation: refer('Deprecation'), Sunset: refer('Sunset') }),
    ...(row.rateLimit && (status < 300 || status === 429) && budget),
    // The other refusals of its status do not end by themselves.
    ...(codes.includes('factor_too_new') && { 'Retry-After': refer('RetryLater') }),
    ...((status === 429 || status === 503) && { 'Retry-After': refer('RetryAfter') }),
  }
}

const budget: References = { RateLimit: refer('RateLimit'), 'RateLimit-Policy': refer('RateLimitPolicy') }

function challengeOf(codes: readonly ErrorCode[]): keyof typeof headers {
  return codes.includes('insufficient_user_authentication') ? 'StepUpChallenge' : 'BearerChallenge'
}
