import { type AuthorizationError, readAuthorizeRequest } from './authorizationRequest.ts'
import {
  type AuthorizeDeps,
  type AuthorizeVisit,
  authorize,
  grant,
  isAuthorizationError,
  loginStep,
  mustSignInAgain,
  questionOf,
  refuse,
} from './authorize.ts'
import { afterSignIn } from './authorizeParameters.ts'
import type { AuthorizeStep } from './authorizeStep.ts'
import { allow } from './consent.ts'
import type { Credentials } from './ports.ts'
import { endSession, readSession, SESSION_SECONDS, startSession } from './session.ts'

/** What a user does with the pages: sign in, allow or deny what a client asks for, or sign out to use another account. */
export type AuthorizeAction =
  | ({ action: 'login' } & Credentials)
  | { action: 'allow' }
  | { action: 'deny' }
  | { action: 'switch' }

/**
 * A form of the hosted pages. The request is read anew from the query each time, for the form that came with it proves nothing about
 * it. The caller has checked that the form was one that this browser was given.
 * @throws CommonError `service_unavailable`
 */
export async function authorizeSubmit(
  deps: AuthorizeDeps,
  visit: AuthorizeVisit,
  action: AuthorizeAction,
): Promise<AuthorizeStep> {
  if (action.action === 'switch') return switchAccount(deps, visit)
  if (action.action === 'login') return login(deps, visit, action)
  return decide(deps, visit, action.action)
}

async function switchAccount(deps: AuthorizeDeps, { query, secret }: AuthorizeVisit): Promise<AuthorizeStep> {
  await endSession(deps, secret)
  return { step: 'again', query, session: 'ended' }
}

async function login(deps: AuthorizeDeps, visit: AuthorizeVisit, credentials: Credentials): Promise<AuthorizeStep> {
  const request = await readAuthorizeRequest(deps.clients, visit.query)
  if ('untrusted' in request) return authorize(deps, visit)
  const at = deps.clock.now()
  const signedIn = await deps.signIn(credentials)
  if (typeof signedIn !== 'string') return { ...loginStep(request, credentials.email), problem: signedIn }
  const started = await startSession(deps, { userId: signedIn, at, replaces: visit.secret })
  const session = { started, maxAgeSeconds: SESSION_SECONDS }
  return { step: 'again', query: afterSignIn(visit.query), session }
}

const denied: AuthorizationError = { error: 'access_denied', error_description: 'The user did not allow this' }

async function decide(deps: AuthorizeDeps, visit: AuthorizeVisit, decision: 'allow' | 'deny'): Promise<AuthorizeStep> {
  const [request, session] = await Promise.all([
    readAuthorizeRequest(deps.clients, visit.query),
    readSession(deps, visit.secret),
  ])
  // What could not have been asked is not decided: a session that ended meanwhile, or a query that is not the one shown.
  if ('untrusted' in request || session === undefined || isAuthorizationError(request.requested))
    return authorize(deps, visit)
  if (mustSignInAgain(request.requested, session, deps.clock.now())) return authorize(deps, visit)
  if (decision === 'deny') return refuse(deps, request, denied)
  await allow(deps, questionOf(request, request.requested, session))
  return grant(deps, request, request.requested, session)
}
