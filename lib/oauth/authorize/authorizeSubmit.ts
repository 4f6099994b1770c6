import { isSignInQuestion } from '../../signIn/askSignIn.ts'
import { leaveAccount } from '../../signIn/pendingSignIn.ts'
import { readOtherTab } from '../../signIn/readOtherTab.ts'
import { type SignInForm, type SubmitSignInDeps, submitSignIn } from '../../signIn/submitSignIn.ts'
import { type BrowserRequest, readSession } from '../session/session.ts'
import { authorizationError, readAuthorizationRequest } from './authorizationRequest.ts'
import {
  type AuthorizeDeps,
  type AuthorizeStep,
  authorize,
  chooseAccount,
  consentQuestion,
  findMissing,
  grant,
  grantOrAskConsent,
  loginRequired,
  respondWithError,
  showSignIn,
} from './authorize.ts'
import { digestRequest } from './authorizeParameters.ts'
import { allow } from './consent.ts'

export type AuthorizeSubmitDeps = AuthorizeDeps & SubmitSignInDeps

/**
 * A form of the hosted pages: sign in, go on with the account that is signed in, allow or deny what a client asks for, or sign out to use another
 * account.
 */
type AuthorizeAction =
  | SignInForm
  | { action: 'continue' }
  | { action: 'allow' }
  | { action: 'deny' }
  | { action: 'switch' }

type Decision = 'continue' | 'allow' | 'deny'

/**
 * Handles a form of the hosted pages. Parses the authorization request from the query each time, because the form proves nothing about it.
 * The caller has checked that this browser was given the form.
 * @throws CommonError `service_unavailable`
 */
export async function authorizeSubmit(
  deps: AuthorizeSubmitDeps,
  browser: BrowserRequest & { secret: string },
  action: AuthorizeAction,
): Promise<AuthorizeStep> {
  if (action.action === 'switch') return switchAccount(deps, browser)
  if (action.action === 'continue' || action.action === 'allow' || action.action === 'deny')
    return decide(deps, browser, action.action)
  return signIn(deps, browser, action)
}

/**
 * Handles a form of a sign-in that this browser was given before another of its tabs signed in, or was asked for a second factor. Reads nothing of
 * the form but its address: the request goes on with the other tab's sign-in. If the address is of another account, the user is asked which.
 * @returns undefined if no tab has signed in, or if the form is not of a sign-in
 * @throws CommonError `service_unavailable`
 */
export async function continueFromOtherTab(
  deps: AuthorizeSubmitDeps,
  browser: BrowserRequest & { secret: string },
  { action, email }: { readonly action: AuthorizeAction['action']; readonly email?: string },
): Promise<AuthorizeStep | undefined> {
  if (action === 'continue' || action === 'allow' || action === 'deny' || action === 'switch') return undefined
  const { query, secret } = browser
  const otherTab = await readOtherTab(deps, secret, email)
  if (otherTab === undefined) return undefined
  const again = { step: 'again', query } as const
  if (otherTab.kind !== 'other_account') return again
  const trusted = await readAuthorizationRequest(deps, query)
  return trusted.kind === 'trusted' ? chooseAccount(trusted, 'select_account', otherTab.session) : again
}

async function switchAccount(
  deps: AuthorizeSubmitDeps,
  { query, secret }: BrowserRequest & { secret: string },
): Promise<AuthorizeStep> {
  await leaveAccount(deps, secret)
  return { step: 'again', query, session: 'ended' }
}

async function signIn(
  deps: AuthorizeSubmitDeps,
  browser: BrowserRequest & { secret: string },
  form: SignInForm,
): Promise<AuthorizeStep> {
  const { query, secret } = browser
  const trusted = await readAuthorizationRequest(deps, query)
  if (trusted.kind === 'untrusted') return authorize(deps, browser)
  const next = await submitSignIn(deps, { secret, signedInFor: digestRequest(query) }, form)
  if (isSignInQuestion(next)) return showSignIn(trusted, next)
  return { step: 'again', query, session: next.session }
}

const denied = authorizationError('access_denied', 'The user did not allow this')

async function decide(deps: AuthorizeSubmitDeps, browser: BrowserRequest, decision: Decision): Promise<AuthorizeStep> {
  const [trusted, session] = await Promise.all([
    readAuthorizationRequest(deps, browser.query),
    readSession(deps, browser.secret),
  ])
  // The user did not see a consent page for this: the session has ended since, or the query has changed.
  if (trusted.kind === 'untrusted' || session === undefined || trusted.parsed.kind === 'error')
    return authorize(deps, browser)
  const request = trusted.parsed
  const missing = await findMissing(deps, request, session)
  if (missing === 'other_user' && decision === 'deny') return respondWithError(deps, trusted, loginRequired)
  // Each of these forms names the account, so its sender has chosen it.
  if (missing !== undefined && missing !== 'select_account') return authorize(deps, browser)
  if (decision === 'deny') return respondWithError(deps, trusted, denied)
  if (decision === 'continue') return grantOrAskConsent(deps, trusted, request, session)
  await allow(deps, consentQuestion(trusted, request, session))
  return grant(deps, trusted, request, session)
}
