import { requiredSecondFactor } from '../../authenticators/listAuthenticators.ts'
import type { Scope } from '../../core/scopes.ts'
import type { Logger } from '../../log/logger.ts'
import { type AskSignInDeps, askPassword, askSignIn, type SignInQuestion } from '../../signIn/askSignIn.ts'
import { type LackedFactorDeps, organizationsLackingFactor } from '../../signIn/lackedFactor.ts'
import type { CompanyProvider, CompanyProviders } from '../../signIn/provider/ports.ts'
import { nameOf } from '../client/clientNames.ts'
import { destinationOf, type RedirectPolicy } from '../client/redirectUri.ts'
import type { AuthorizationCodes, IdTokenReader, OAuthClients } from '../ports.ts'
import { allowedIn } from '../session/allowedIn.ts'
import { type BrowserRequest, type LiveSession, readSession, type SessionChange } from '../session/session.ts'
import { authenticationInUse, type SessionUseDeps } from '../session/sessionUse.ts'
import {
  type AuthorizationError,
  type AuthorizationRequest,
  authorizationError,
  type ResponseTarget,
  readAuthorizationRequest,
  type TrustedRequest,
  type UntrustedReason,
} from './authorizationRequest.ts'
import { type ConsentDeps, isAllowed } from './consent.ts'
import { issueAuthorizationCode } from './issueAuthorizationCode.ts'
import { type MissingStep, mustAuthenticate } from './mustAuthenticate.ts'

export interface AuthorizeDeps extends AskSignInDeps, ConsentDeps, SessionUseDeps, LackedFactorDeps {
  readonly clients: OAuthClients
  readonly codes: AuthorizationCodes
  readonly idTokens: IdTokenReader
  readonly companies: Pick<CompanyProviders, 'find'>
  readonly logger: Logger
  readonly redirectPolicy: RedirectPolicy
  /** `iss` of every response. */
  readonly issuer: string
}

/** What the authorization endpoint answers next: a page or a redirect. */
export type AuthorizeStep =
  | { readonly step: 'untrusted'; readonly reason: UntrustedReason }
  /** A form of a sign-in. */
  | (SignInQuestion & {
      readonly clientName: string
      /** The `destinationOf` the client's redirect URI, to which the answer to the form may redirect. */
      readonly returnsTo: string
    })
  /** The link to the single sign-on that the request asks for. */
  | {
      readonly step: 'single_sign_on'
      readonly provider: Pick<CompanyProvider, 'id' | 'name'>
      readonly clientName: string
      readonly returnsTo: string
    }
  | {
      readonly step: 'consent'
      readonly clientName: string
      readonly email: string
      readonly scopes: readonly Scope[]
      /** A client of the operator's own acts with all of the user's rights, whatever it asks for. */
      readonly firstParty: boolean
      readonly returnsTo: string
    }
  /** Organizations require a second factor that the user does not have, who adds one or goes on. */
  | {
      readonly step: 'add_factor'
      readonly organizations: readonly string[]
      readonly email: string
      readonly returnsTo: string
    }
  /** The user who is signed in goes on, or changes the account. */
  | {
      readonly step: 'choose_account'
      readonly reason: Extract<MissingStep, 'other_user' | 'select_account'>
      readonly clientName: string
      readonly email: string
      readonly returnsTo: string
    }
  /** A redirect to this endpoint with this query. */
  | { readonly step: 'again'; readonly query: string; readonly session?: SessionChange }
  /** A redirect to the client with the response. */
  | { readonly step: 'respond'; readonly location: string }

/**
 * The authorization endpoint (RFC 6749 §3.1, §4.1). The browser is redirected to the client, errors included, only after the user
 * has signed in, so that a link to this service is no open redirector; silent requests (`prompt=none`) are answered at once
 * (RFC 9700 §4.11.2).
 * @throws CommonError `service_unavailable`
 */
export async function authorize(deps: AuthorizeDeps, { query, secret }: BrowserRequest): Promise<AuthorizeStep> {
  const [trusted, session] = await Promise.all([readAuthorizationRequest(deps, query), readSession(deps, secret)])
  if (trusted.kind === 'untrusted') return refuseUntrusted(deps, trusted.reason)
  if (session === undefined && !trusted.silent) return askFirst(deps, trusted, secret)
  if (trusted.parsed.kind === 'error') return respondWithError(deps, trusted, trusted.parsed)
  return grantOrAsk(deps, trusted, trusted.parsed, session)
}

/** The first page of a browser without a session. */
async function askFirst(
  deps: AuthorizeDeps,
  trusted: TrustedRequest,
  secret: string | undefined,
): Promise<AuthorizeStep> {
  const question = await askSignIn(deps, secret)
  const provider = question.step === 'second_factor' ? undefined : await findSignOn(deps, trusted.parsed)
  return provider === undefined ? showSignIn(trusted, question) : showSignOn(trusted, provider)
}

async function grantOrAsk(
  deps: AuthorizeDeps,
  trusted: TrustedRequest,
  request: AuthorizationRequest,
  session: LiveSession | undefined,
): Promise<AuthorizeStep> {
  const missing = await findMissing(deps, request, session)
  if (missing !== undefined) return askFor(deps, trusted, missing, session)
  if (session === undefined) return showPassword(deps, trusted)
  const organizations = trusted.silent ? [] : await organizationsLackingFactor(deps, session)
  if (organizations.length > 0) return addFactor(trusted, organizations, session)
  return grantOrAskConsent(deps, trusted, request, session)
}

/** The user is signed in as the request requires: asks for consent if it is needed, else issues the code. */
export async function grantOrAskConsent(
  deps: AuthorizeDeps,
  trusted: TrustedRequest,
  request: AuthorizationRequest,
  session: LiveSession,
): Promise<AuthorizeStep> {
  const mustConsent =
    request.prompts.includes('consent') || !(await isAllowed(deps, consentQuestion(trusted, request, session)))
  if (!mustConsent) return grant(deps, trusted, request, session)
  return trusted.silent ? respondWithError(deps, trusted, consentRequired) : consentStep(trusted, request, session)
}

export const loginRequired = authorizationError('login_required', 'The user is not signed in')
const consentRequired = authorizationError('consent_required', 'The user has not allowed this')
const unmet = authorizationError('unmet_authentication_requirements', 'The user did not sign in with two factors')
const foreignHint = authorizationError('invalid_request', 'id_token_hint is no id_token of this service')

type Missing = MissingStep | 'hint'

/**
 * What the user must do before the request is answered in this session. `hint`: the request is refused, because its hint is not an id_token of
 * this service. A single sign-on that does not exist is not asked for, like any unknown value (OpenID Connect Core §3.1.2.1).
 */
export async function findMissing(
  { idTokens, companies, clock }: AuthorizeDeps,
  request: AuthorizationRequest,
  session: LiveSession | undefined,
): Promise<Missing | undefined> {
  const hint = request.idTokenHint === undefined ? undefined : await idTokens.read(request.idTokenHint)
  if (request.idTokenHint !== undefined && hint === undefined) return 'hint'
  if (session === undefined) return 'sign_in'
  const asked = { ...request, hintedUser: hint?.userId }
  const missing = mustAuthenticate(asked, session, clock.now())
  if (missing !== 'single_sign_on' || (await findSignOn({ companies }, request)) !== undefined) return missing
  return mustAuthenticate({ ...asked, sso: undefined }, session, clock.now())
}

/** If the request requires a second factor and the user has none, the client gets an error: signing in again would not help. */
async function askFor(
  deps: AuthorizeDeps,
  trusted: TrustedRequest,
  missing: Missing,
  session: LiveSession | undefined,
): Promise<AuthorizeStep> {
  if (missing === 'hint') return respondWithError(deps, trusted, foreignHint)
  if (trusted.silent) return respondWithError(deps, trusted, loginRequired)
  if (session !== undefined && (missing === 'other_user' || missing === 'select_account'))
    return chooseAccount(trusted, missing, session)
  const isUnreachable = missing === 'second_factor' && session && !(await hasSecondFactor(deps, session))
  if (isUnreachable) return respondWithError(deps, trusted, unmet)
  const provider = await findSignOn(deps, trusted.parsed)
  return provider === undefined ? showPassword(deps, trusted, session?.user.email) : showSignOn(trusted, provider)
}

async function hasSecondFactor(deps: AuthorizeDeps, { user }: LiveSession): Promise<boolean> {
  return (await requiredSecondFactor(deps, user.id)).length > 0
}

/** The single sign-on that the request asks for, if it exists. */
async function findSignOn(
  { companies }: Pick<AuthorizeDeps, 'companies'>,
  request: AuthorizationRequest | AuthorizationError,
): Promise<CompanyProvider | undefined> {
  return request.kind === 'valid' && request.sso !== undefined ? companies.find(request.sso) : undefined
}

function showSignOn({ client, target }: TrustedRequest, { id, name }: CompanyProvider): AuthorizeStep {
  const returnsTo = destinationOf(target.redirectUri)
  return { step: 'single_sign_on', provider: { id, name }, clientName: nameOf(client), returnsTo }
}

/** What the user is asked to consent to. */
export function consentQuestion(
  { client, target }: TrustedRequest,
  { scopes }: AuthorizationRequest,
  { user }: LiveSession,
) {
  return { userId: user.id, client, redirectUri: target.redirectUri, scopes }
}

/**
 * Issues a code to the client. A first-party client's code belongs to the session: it is valid while the session is open. Another client's
 * code is valid while the user's consent exists.
 * @throws CommonError `service_unavailable`
 */
export async function grant(
  deps: AuthorizeDeps,
  trusted: TrustedRequest,
  { scopes, codeChallenge, nonce }: AuthorizationRequest,
  session: LiveSession,
): Promise<AuthorizeStep> {
  const { client, target } = trusted
  const { id, browser, user, securityRev } = session
  const authentication = await authenticationInUse(deps, session)
  const code = await issueAuthorizationCode(deps, {
    clientId: client.clientId,
    userId: user.id,
    securityRev,
    authentication,
    scope: scopes.join(' '),
    redirectUri: target.redirectUri,
    codeChallenge,
    codeChallengeMethod: 'S256',
    nonce,
    browser,
    ...(client.firstParty ? { sessionId: id } : { needsConsent: true, ...allowedIn(session) }),
  })
  return { step: 'respond', location: responseLocation(target, deps.issuer, { code }) }
}

/** Answers the client with an error. */
export function respondWithError(
  { logger, issuer }: Pick<AuthorizeDeps, 'logger' | 'issuer'>,
  { client, target }: TrustedRequest,
  { error, error_description }: AuthorizationError,
): AuthorizeStep {
  logger.info('Authorization refused', { code: error, clientId: client.clientId, reason: error_description })
  return { step: 'respond', location: responseLocation(target, issuer, { error, error_description }) }
}

/** A code, or an error whose description is for the client's developer. */
type AuthorizeResponse = { code: string } | Omit<AuthorizationError, 'kind'>

/**
 * The redirect URI with the response in its query (RFC 6749 §4.1.2); a registered query is kept. `iss` is in every response, errors
 * included (RFC 9207 §2), so that no client sends a code of this server to another server.
 */
function responseLocation({ redirectUri, state }: ResponseTarget, issuer: string, response: AuthorizeResponse): string {
  const members = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${members}`
}

function refuseUntrusted({ logger }: Pick<AuthorizeDeps, 'logger'>, reason: UntrustedReason): AuthorizeStep {
  logger.info('Authorization refused', { code: reason })
  return { step: 'untrusted', reason }
}

/** The sign-in form. */
async function showPassword(
  deps: AuthorizeDeps,
  trusted: TrustedRequest,
  email = trusted.loginHint,
): Promise<AuthorizeStep> {
  return showSignIn(trusted, await askPassword(deps, { email }))
}

/** A form of the sign-in. If it has no email address yet, the request's `login_hint` prefills it. */
export function showSignIn(trusted: TrustedRequest, question: SignInQuestion): AuthorizeStep {
  const { client, target, loginHint } = trusted
  const email = question.email || loginHint
  return { ...question, email, clientName: nameOf(client), returnsTo: destinationOf(target.redirectUri) }
}

function consentStep(
  { client, target }: TrustedRequest,
  { scopes }: AuthorizationRequest,
  { user }: LiveSession,
): AuthorizeStep {
  return {
    step: 'consent',
    clientName: nameOf(client),
    email: user.email,
    scopes,
    firstParty: client.firstParty ?? false,
    returnsTo: destinationOf(target.redirectUri),
  }
}

function addFactor({ target }: TrustedRequest, organizations: readonly string[], { user }: LiveSession): AuthorizeStep {
  const returnsTo = destinationOf(target.redirectUri)
  return { step: 'add_factor', organizations, email: user.email, returnsTo }
}

/** The page that names the user who is signed in, with a way to another account. */
export function chooseAccount(
  { client, target }: TrustedRequest,
  reason: Extract<MissingStep, 'other_user' | 'select_account'>,
  { user }: LiveSession,
): AuthorizeStep {
  const returnsTo = destinationOf(target.redirectUri)
  return { step: 'choose_account', reason, clientName: nameOf(client), email: user.email, returnsTo }
}
