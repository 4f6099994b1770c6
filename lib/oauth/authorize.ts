import type { Logger } from '../log/logger.ts'
import {
  type AuthorizationError,
  type AuthorizationRequest,
  readAuthorizeRequest,
  type TrustedRequest,
} from './authorizationRequest.ts'
import { responseLocation } from './authorizeResponse.ts'
import type { AuthorizeStep } from './authorizeStep.ts'
import { type ConsentDeps, isAllowed } from './consent.ts'
import { issueAuthorizationCode } from './issueAuthorizationCode.ts'
import type { AuthorizationCodes, OAuthClients, SignIn } from './ports.ts'
import { type LiveSession, readSession, type SessionDeps } from './session.ts'

/** Everything the authorization endpoint reads, writes or asks. */
export interface AuthorizeDeps extends SessionDeps, ConsentDeps {
  readonly clients: OAuthClients
  readonly codes: AuthorizationCodes
  readonly logger: Logger
  readonly signIn: SignIn
  /** `iss` of every response. */
  readonly issuer: string
}

/** An authorization request as a browser brings it. */
export interface AuthorizeVisit {
  /** The query as it came, without `?`. */
  query: string
  /** The secret in the session cookie, whether it stands for a session or not. */
  secret: string | undefined
}

/**
 * The authorization endpoint (RFC 6749 §3.1, §4.1): what to do next about a request. A client gets an answer only of a user who
 * has signed in, errors included, for a link to this service must not be a way to anywhere else; silent requests are answered
 * at once (RFC 9700 §4.11.2).
 * @throws CommonError `service_unavailable`
 */
export async function authorize(deps: AuthorizeDeps, { query, secret }: AuthorizeVisit): Promise<AuthorizeStep> {
  const [request, session] = await Promise.all([readAuthorizeRequest(deps.clients, query), readSession(deps, secret)])
  if ('untrusted' in request) return untrusted(deps, request.untrusted)
  if (session === undefined && !request.silent) return loginStep(request)
  if (isAuthorizationError(request.requested)) return refuse(deps, request, request.requested)
  return grantOrAsk(deps, request, request.requested, session)
}

async function grantOrAsk(
  deps: AuthorizeDeps,
  request: TrustedRequest,
  requested: AuthorizationRequest,
  session: LiveSession | undefined,
): Promise<AuthorizeStep> {
  if (session === undefined || mustSignInAgain(requested, session, deps.clock.now())) {
    return request.silent ? refuse(deps, request, loginRequired) : loginStep(request, session?.user.email)
  }
  const asked =
    requested.prompts.includes('consent') || !(await isAllowed(deps, questionOf(request, requested, session)))
  if (!asked) return grant(deps, request, requested, session)
  return request.silent ? refuse(deps, request, consentRequired) : consentStep(request, requested, session)
}

const loginRequired: AuthorizationError = { error: 'login_required', error_description: 'The user is not signed in' }
const consentRequired: AuthorizationError = {
  error: 'consent_required',
  error_description: 'The user has not allowed this',
}

/** Whether the client wants the password asked for again (OpenID Connect Core §3.1.2.1). */
export function mustSignInAgain(
  { prompts, maxAge }: AuthorizationRequest,
  { signedInAt }: LiveSession,
  now: number,
): boolean {
  return prompts.includes('login') || (maxAge !== undefined && Math.floor((now - signedInAt) / 1000) > maxAge)
}

/** Whom a consent is asked for. */
export function questionOf(
  { client, target }: TrustedRequest,
  { scopes }: AuthorizationRequest,
  { user }: LiveSession,
) {
  return { userId: user.id, client, redirectUri: target.redirectUri, scopes }
}

export function isAuthorizationError(
  requested: AuthorizationRequest | AuthorizationError,
): requested is AuthorizationError {
  return 'error' in requested
}

/** A code for the client. @throws CommonError `service_unavailable` */
export async function grant(
  deps: AuthorizeDeps,
  { client, target }: TrustedRequest,
  { scopes, codeChallenge }: AuthorizationRequest,
  { user }: LiveSession,
): Promise<AuthorizeStep> {
  const code = await issueAuthorizationCode(deps, {
    clientId: client.clientId,
    userId: user.id,
    scope: scopes.join(' '),
    redirectUri: target.redirectUri,
    codeChallenge,
    codeChallengeMethod: 'S256',
  })
  return { step: 'respond', location: responseLocation(target, deps.issuer, { code }) }
}

/** An error for the client. */
export function refuse(
  { logger, issuer }: Pick<AuthorizeDeps, 'logger' | 'issuer'>,
  { client, target }: TrustedRequest,
  { error, error_description }: AuthorizationError,
): AuthorizeStep {
  logger.info('Authorization refused', { code: error, clientId: client.clientId, reason: error_description })
  return { step: 'respond', location: responseLocation(target, issuer, { error, error_description }) }
}

function untrusted(
  { logger }: Pick<AuthorizeDeps, 'logger'>,
  reason: 'unknown_client' | 'untrusted_redirect_uri',
): AuthorizeStep {
  logger.info('Authorization refused', { code: reason })
  return { step: 'untrusted', reason }
}

/** The sign-in form. */
export function loginStep(
  { client, target, loginHint }: TrustedRequest,
  email = loginHint,
): AuthorizeStep & { step: 'login' } {
  return { step: 'login', clientName: nameOf(client), email, returnsTo: originOf(target) }
}

function consentStep(
  { client, target }: TrustedRequest,
  { scopes }: AuthorizationRequest,
  { user }: LiveSession,
): AuthorizeStep {
  return { step: 'consent', clientName: nameOf(client), email: user.email, scopes, returnsTo: originOf(target) }
}

function nameOf({ name, clientId }: TrustedRequest['client']): string {
  return name || clientId
}

function originOf({ redirectUri }: TrustedRequest['target']): string {
  return new URL(redirectUri).origin
}
