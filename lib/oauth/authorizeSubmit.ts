import { byPassword } from '../core/authentication.ts'
import { type AuthorizationError, readAuthorizationRequest } from './authorizationRequest.ts'
import {
  type AuthorizeDeps,
  authorize,
  consentQuestion,
  findMissing,
  grant,
  isAuthorizationError,
  loginStep,
  refuse,
} from './authorize.ts'
import { digestRequest } from './authorizeParameters.ts'
import type { AuthorizeStep } from './authorizeStep.ts'
import { allow } from './consent.ts'
import type { Credentials, NameBrowser, SignIn } from './ports.ts'
import { type BrowserRequest, endSession, readSession, SESSION_SECONDS, startSession } from './session.ts'

/** Everything that the forms of the authorization endpoint read, write or call. */
export interface AuthorizeSubmitDeps extends AuthorizeDeps {
  readonly signIn: SignIn
  readonly nameBrowser: NameBrowser
}

/** A form of the hosted pages: sign in, allow or deny what a client asks for, or sign out to use another account. */
type AuthorizeAction =
  | ({ action: 'login'; userAgent: string | undefined } & Credentials)
  | { action: 'allow' }
  | { action: 'deny' }
  | { action: 'switch' }

/**
 * Handles a form of the hosted pages. The authorization request is parsed from the query each time, because the form proves nothing
 * about it. The caller has checked that this browser was given the form.
 * @throws CommonError `service_unavailable`
 */
export async function authorizeSubmit(
  deps: AuthorizeSubmitDeps,
  browser: BrowserRequest,
  action: AuthorizeAction,
): Promise<AuthorizeStep> {
  if (action.action === 'switch') return switchAccount(deps, browser)
  if (action.action === 'login') return login(deps, browser, action)
  return decide(deps, browser, action.action)
}

async function switchAccount(deps: AuthorizeDeps, { query, secret }: BrowserRequest): Promise<AuthorizeStep> {
  await endSession(deps, secret)
  return { step: 'again', query, session: 'ended' }
}

async function login(
  deps: AuthorizeSubmitDeps,
  browser: BrowserRequest,
  { userAgent, ...credentials }: Credentials & { userAgent: string | undefined },
): Promise<AuthorizeStep> {
  const trusted = await readAuthorizationRequest(deps, browser.query)
  if ('untrusted' in trusted) return authorize(deps, browser)
  const at = deps.clock.now()
  const signedIn = await deps.signIn(credentials)
  if ('code' in signedIn) return { ...loginStep(trusted, credentials.email), problem: signedIn }
  const { id: userId, securityRev, knownBrowser } = signedIn
  const started = await startSession(deps, {
    userId,
    securityRev,
    authentication: { at, methods: byPassword },
    signedInFor: digestRequest(browser.query),
    browser: await deps.nameBrowser(userAgent),
    replaces: browser.secret,
  })
  const session = { started, maxAgeSeconds: SESSION_SECONDS, knownBrowser }
  return { step: 'again', query: browser.query, session }
}

const denied: AuthorizationError = { error: 'access_denied', error_description: 'The user did not allow this' }

async function decide(
  deps: AuthorizeDeps,
  browser: BrowserRequest,
  decision: 'allow' | 'deny',
): Promise<AuthorizeStep> {
  const [trusted, session] = await Promise.all([
    readAuthorizationRequest(deps, browser.query),
    readSession(deps, browser.secret),
  ])
  // The consent page was not shown for this: the session has ended since, or the query is another one.
  if ('untrusted' in trusted || session === undefined || isAuthorizationError(trusted.parsed))
    return authorize(deps, browser)
  const request = trusted.parsed
  if ((await findMissing(deps, request, session)) !== undefined) return authorize(deps, browser)
  if (decision === 'deny') return refuse(deps, trusted, denied)
  await allow(deps, consentQuestion(trusted, request, session))
  return grant(deps, trusted, request, session)
}
