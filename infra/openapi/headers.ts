import type { ErrorCode } from '../../lib/http/answer/errorAnswers.ts'
import type { AnswerHeader } from '../../lib/http/contract.ts'
import type { Operation } from './operation.ts'

/** Headers of every answer, which the document describes once. HTTP's own and API Gateway's come on top. */
export const everywhere = {
  'cache-control': '`no-store`, where an answer says nothing else',
  'strict-transport-security': 'two years',
  'x-content-type-options': '`nosniff`',
  'x-request-id': 'the id by which support finds the request',
} as const

const text = { schema: { type: 'string' } } as const

/** The headers under `components`. */
export const headers = {
  RetryAfter: { description: 'Seconds to wait', required: true, schema: { type: 'integer', minimum: 1 } },
  RetryLater: { description: 'Seconds to wait, where that helps', schema: { type: 'integer', minimum: 1 } },
  BearerChallenge: {
    description: '`Bearer`; with `error="invalid_token"` where a token was sent (RFC 6750 §3)',
    required: true,
    ...text,
  },
  StepUpChallenge: {
    description:
      '`Bearer`; with `error="invalid_token"` where a token was sent (RFC 6750 §3), and with `error="insufficient_user_authentication"`, `max_age` and, where the account has a second factor that the sign-in had not, `acr_values` where the token is good and its sign-in is not enough: parameters to send the user to the authorization endpoint with (RFC 9470 §4)',
    required: true,
    ...text,
  },
  ScopeChallenge: {
    description:
      '`Bearer error="insufficient_scope"`, with the `scope` that is wanted (RFC 6750 §3), where the code is `insufficient_scope`',
    ...text,
  },
  BasicChallenge: { description: 'Only after HTTP Basic was tried', ...text },
  Pragma: { description: '`no-cache`, for caches of HTTP/1.0 (RFC 6749 §5.1)', required: true, ...text },
  Location: {
    description: 'Where the new thing can be read',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: { description: 'Of what is answered: for `If-None-Match` or `If-Match`', required: true, ...text },
  CacheControl: { description: '`public`, with the seconds in `max-age`', required: true, ...text },
  ContentDisposition: { description: '`attachment`, with the name of a file', required: true, ...text },
  ContentEncoding: { description: '`br` or `gzip`, where the request accepts it', ...text },
  SetCookie: {
    description:
      'Of a browser that the account’s user is known in from then on: no pass, but its tries of passwords count by themselves',
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

/** What the answers of a status carry beside `everywhere`: what follows from status and caller, and what the contract lists. */
export function headersOf({ row, contract }: Operation, status: number, codes: readonly ErrorCode[]): References {
  const isForClients = row.caller === 'client'
  const listed = (contract.answerHeaders?.[status] ?? []).map((name) => [name, refer(components[name])] as const)
  return {
    ...(isForClients && status === 200 && { Pragma: refer('Pragma') }),
    ...(status === 401 && codes.includes('unauthorized') && { 'WWW-Authenticate': refer(challengeOf(codes)) }),
    ...(codes.includes('insufficient_scope') && { 'WWW-Authenticate': refer('ScopeChallenge') }),
    ...(status === 401 && isForClients && { 'WWW-Authenticate': refer('BasicChallenge') }),
    ...Object.fromEntries(listed),
    ...((status === 429 || status === 503) && { 'Retry-After': refer('RetryAfter') }),
  }
}

function challengeOf(codes: readonly ErrorCode[]): keyof typeof headers {
  return codes.includes('insufficient_user_authentication') ? 'StepUpChallenge' : 'BearerChallenge'
}
