import type { MiddlewareObj } from '@middy/core'
import { reasonOf, ServiceError } from '../../core/errors.ts'
import { FactorTooNewError, StepUpError, signOnAcrOf } from '../../core/stepUp.ts'
import { RefusedUrlError } from '../../events/errors.ts'
import type { Logger } from '../../log/logger.ts'
import { OAuthError } from '../../oauth/errors.ts'
import {
  DomainNotProvenError,
  ForbiddenError,
  OrganizationOwesError,
  OrganizationSubscribedError,
} from '../../organizations/errors.ts'
import { RefusedPasswordError, RefusedRemovalError, TooManyAttemptsError } from '../../users/errors.ts'
import type { HttpEvent, HttpResult } from '../contract.ts'
import { InsufficientScopeError, type Problem, RateLimitedError, ValidationError } from '../errors.ts'
import { type Answer, toResult } from './answer.ts'
import { type ErrorAnswer, type ErrorCode, errorAnswers, onlyFor, publicCodeOf, ruledStepUp } from './errorAnswers.ts'

/** The table's answer for a `ServiceError`, with what the error knows of `Retry-After`, the level to sign in with or the wanted scope; `internal_error` for anything else. */
export function answerInTable(error: unknown): ErrorAnswer & { code: ErrorCode } {
  const code = error instanceof ServiceError ? publicCodeOf(error.code) : 'internal_error'
  if (
    error instanceof RateLimitedError ||
    error instanceof TooManyAttemptsError ||
    error instanceof FactorTooNewError
  ) {
    return { ...errorAnswers[code], code, headers: { 'retry-after': `${error.retryAfterSeconds}` } }
  }
  if (error instanceof ForbiddenError) return { ...errorAnswers[code], code, detail: onlyFor[error.needed] }
  if (error instanceof StepUpError) return { ...errorAnswers[code], code, ...stepUpAnswer(error) }
  if (error instanceof InsufficientScopeError && error.scope !== undefined) {
    const challenge = `Bearer error="insufficient_scope", scope="${error.scope}"`
    return { ...errorAnswers[code], code, headers: { 'www-authenticate': challenge } }
  }
  return { ...errorAnswers[code], code }
}

/** RFC 9470 §3: the challenge names everything that the new sign-in must be. */
function stepUpAnswer({
  askedBy,
  wanted: { maxAge, level, sso },
}: StepUpError): Pick<ErrorAnswer, 'detail' | 'headers'> {
  const { detail } = askedBy === 'operation' ? errorAnswers.insufficient_user_authentication : { detail: ruledStepUp }
  const acr = [...(sso === undefined ? [] : [signOnAcrOf(sso)]), ...(level === undefined ? [] : [level])]
  const challenge = [
    `Bearer error="insufficient_user_authentication", error_description="${detail}"`,
    ...(maxAge === undefined ? [] : [`max_age="${maxAge}"`]),
    ...(acr.length === 0 ? [] : [`acr_values="${acr.join(' ')}"`]),
  ]
  return { detail, headers: { 'www-authenticate': challenge.join(', ') } }
}

/**
 * The public answer to anything thrown: 422 for a `ValidationError`, a refused password, URL or removal, else the table's.
 * Never throws, and takes no text from the error.
 */
export function errorAnswer(error: unknown, { requestContext }: Pick<HttpEvent, 'requestContext'>): Answer {
  if (error instanceof ValidationError) return { status: 422, body: { detail: error.problems } }
  if (error instanceof RefusedPasswordError) return { status: 422, body: { detail: [refusedPassword(error)] } }
  if (error instanceof RefusedUrlError) return { status: 422, body: { detail: [refusedUrl(error)] } }
  if (error instanceof RefusedRemovalError) return { status: 422, body: { detail: [refusedRemoval(error)] } }
  const { status, detail, code, headers = {} } = answerInTable(error)
  return { status, body: { detail, code, request_id: requestContext.requestId, ...namedBy(error) }, headers }
}

/** What is in the way, if the error names it. */
function namedBy(error: unknown): { products?: readonly string[]; invoices?: readonly string[]; reason?: string } {
  if (error instanceof DomainNotProvenError) return { reason: error.reason }
  if (error instanceof OrganizationSubscribedError) return { products: error.products }
  return error instanceof OrganizationOwesError ? { invoices: error.invoices } : {}
}

/** A problem like those of a contract, which cannot find it without knowing the user. */
function refusedPassword({ field, reason }: RefusedPasswordError): Problem {
  return { loc: ['body', field], msg: `Value error, ${reason}`, type: 'value_error' }
}

const urlProblems = {
  not_a_url: 'not an absolute URL',
  not_https: 'the URL must begin with https://',
  has_credentials: 'the URL must not have a user name or password',
  not_resolved: 'the host has no address',
  forbidden_address: 'the address of the host is not a public address',
  not_an_issuer: 'an issuer has no query and no fragment',
} as const satisfies Record<RefusedUrlError['fault'], string>

function refusedUrl({ fault, member }: RefusedUrlError): Problem {
  return { loc: ['body', member], msg: `Value error, ${urlProblems[fault]}`, type: 'value_error' }
}

function refusedRemoval({ index }: RefusedRemovalError): Problem {
  const msg = 'Value error, this authenticator cannot be removed with a reset of the password'
  return { loc: ['body', 'remove_authenticators', index], msg, type: 'value_error' }
}

/**
 * Middleware: answers and logs what any middleware or the handler throws, and logs what the handler itself answers 5xx: each 5xx is a single
 * line, which counts it as a fault of the function's version.
 * @param answerTo the endpoint's own error body, if it has one
 * @param write as JSON if omitted
 */
export function answerErrors(
  logger: Logger,
  answerTo: (error: unknown, event: HttpEvent) => Answer = errorAnswer,
  write: (answer: Answer, event: HttpEvent, error: unknown) => HttpResult = toResult,
): MiddlewareObj<HttpEvent, HttpResult> {
  return {
    onError(request) {
      const answer = answerTo(request.error, request.event)
      log(logger, answer.status, request.error)
      request.response = write(answer, request.event, request.error)
    },
    after({ response }) {
      const status = response?.statusCode ?? 200
      if (status >= 500) logger.error('Request not served', { status })
    },
  }
}

/** Logs names, codes and the messages of our own errors only: never bodies, tokens or query strings. */
function log(logger: Logger, status: number, error: unknown): void {
  if (error instanceof ValidationError) return
  const reason = reasonOf(error)
  if (error instanceof ServiceError) {
    const { code, cause } = error
    const fields = { code, status, reason, cause: cause === undefined ? undefined : reasonOf(cause) }
    if (error instanceof OAuthError) logger.info('Token request refused', { code, status, reason })
    else if (status < 500) logger.info('Request refused', fields)
    else logger.error('Request not served', fields)
  } else {
    logger.error('Request failed', { name: reason, stack: framesOf(error) })
  }
}

/** The frames of the stack without its first line: a message may quote the request. */
function framesOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? error.stack : undefined
  return stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
