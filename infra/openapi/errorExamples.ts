import { type ErrorCode, errorAnswers } from '../../lib/http/answer/errorAnswers.ts'

/** Shown as the id of every request. */
export const exampleRequestId = '0b6d3a52-7f1e-4c58-9a44-1d2f6e8c5b90'

const namedByRfc6749: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]

const codes: readonly ErrorCode[] = Object.keys(errorAnswers).filter(isCode)

/** Every error by its code as an example under `components`, and as `oauth.<code>` for clients of the OAuth endpoints. */
export const errorExamples: Readonly<Record<string, { value: unknown }>> = Object.fromEntries(
  codes.flatMap((code) => {
    const { status, detail } = errorAnswers[code]
    const body = { detail, code, request_id: exampleRequestId }
    const oauth = { error: oauthErrorName(code, status), error_description: detail, ...body }
    return [
      [code, { value: body }],
      [`oauth.${code}`, { value: oauth }],
    ]
  }),
)

/** References to the examples of these codes. */
export function exampleReferences(all: readonly ErrorCode[], isForClients: boolean): Record<string, { $ref: string }> {
  const references = all.map((code) => {
    const name = isForClients ? `oauth.${code}` : code
    return [code, { $ref: `#/components/examples/${name}` }] as const
  })
  return Object.fromEntries(references)
}

/** For failures of the server RFC 6749 §5.2 has no code: as `lib/http/answer/tokenErrors.ts` names them. */
function oauthErrorName(code: ErrorCode, status: number): string {
  if (namedByRfc6749.includes(code)) return code
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status < 500 ? 'invalid_request' : 'server_error'
}

function isCode(code: string): code is ErrorCode {
  return code in errorAnswers
}
