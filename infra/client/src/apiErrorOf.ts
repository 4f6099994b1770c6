import { asDocumented } from './asDocumented.ts'
import { ApiError } from './errors.ts'

/** Converts a refusal to an error. `body` is its parsed JSON, undefined if it is no JSON. */
export function apiErrorOf({ status, headers }: Response, body: unknown): ApiError {
  const challenge = headers.get('www-authenticate') ?? undefined
  return new ApiError({
    status,
    body,
    challenge,
    stepUp: stepUpIn(challenge),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
    ...contentOf(status, asDocumented(body)),
  })
}

/** The parameters that RFC 9470 §3 adds to a challenge, under their names at the authorization endpoint. */
function stepUpIn(challenge: string | undefined): ApiError['stepUp'] {
  if (!challenge?.includes('error="insufficient_user_authentication"')) return undefined
  const parameters = [...challenge.matchAll(/\b(max_age|acr_values)="?([^",]+)/g)]
  return Object.fromEntries(parameters.map(([, name = '', value = '']) => [name, value]))
}

interface ErrorBody {
  readonly code?: ApiError['code']
  readonly detail?: string | ApiError['problems']
  /** Of API Gateway's own answers. */
  readonly message?: string
}

function contentOf(status: number, body: ErrorBody | undefined): Pick<ApiError, 'code' | 'detail' | 'problems'> {
  const { code, detail, message } = body ?? {}
  if (Array.isArray(detail)) {
    const sentences = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
    return { code: 'validation_error', detail: sentences.join('; '), problems: detail }
  }
  if (code !== undefined && typeof detail === 'string') return { code, detail, problems: [] }
  return { code: 'unexpected_answer', detail: message ?? `Status ${status}, unexplained`, problems: [] }
}

/** RFC 9110 allows a date too, which the API never sends. */
function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined
}
