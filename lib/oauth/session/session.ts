import { type Authentication, levelOf } from '../../core/authentication.ts'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import type { Accounts, KnownBrowserCookie, User } from '../../users/ports.ts'
import type { Session, Sessions } from '../ports.ts'
import { digestSecret, type SecretDigest } from '../secretDigest.ts'
import { whyEnded } from '../token/requireActiveUser.ts'

/** Lifetime of a session from its sign-in, whether it is used or not. */
export const SESSION_SECONDS = 12 * 60 * 60

export interface SessionDeps {
  readonly sessions: Sessions
  readonly accounts: Pick<Accounts, 'find'>
  readonly ids: Ids
  readonly clock: Clock
}

/** A request to an endpoint with hosted pages. */
export interface BrowserRequest {
  /** The raw query, without `?`. */
  query: string
  /** The secret in the session cookie, whether a session has it or not. */
  secret: string | undefined
}

/** A session that has neither ended nor been signed out. */
export interface LiveSession {
  /** The session in the user's list. */
  id: string
  browser: string | undefined
  user: User
  /** The account's revision, which the session has too. */
  securityRev: number
  authentication: Authentication
  /** The digest of the authorization request that the sign-in took place for. */
  signedInFor: SecretDigest | undefined
}

/** What to do with the session cookie: set it to the secret of a session or of a sign-in that is pending, or clear it. */
export type SessionChange =
  | {
      readonly started: string
      readonly maxAgeSeconds: number
      /** The cookie by which the browser is known for the account, also after the session; undefined while the sign-in is pending. */
      readonly knownBrowser?: KnownBrowserCookie
    }
  | 'ended'

/**
 * The session with this secret; undefined where there is none, it has ended, the user does not exist any more or is switched off,
 * or has been signed out everywhere since, as by a new password.
 * @throws CommonError `service_unavailable`
 */
export async function readSession(
  deps: Omit<SessionDeps, 'ids'>,
  secret: string | undefined,
): Promise<LiveSession | undefined> {
  if (secret === undefined) return undefined
  const session = await deps.sessions.find(digestSecret(secret))
  if (session === undefined || deps.clock.now() >= session.validUntil) return undefined
  const account = await deps.accounts.find(session.userId)
  if (account === undefined || whyEnded({ securityRev: session.securityRev }, account) !== undefined) return undefined
  const { user, securityRev } = account
  const { id, browser, authentication, signedInFor } = session
  return { id, browser, user, securityRev, authentication, signedInFor }
}

/**
 * Starts a session under a new secret, and ends the one that the browser had: a secret that another person may know never becomes a
 * session (OWASP Session Management, session fixation). Where that was of the same user, and is live, both are one session in the user's
 * list: ending it ends what first-party clients got before and after.
 * @param signIn `securityRev` is of the account whose password was checked, so that a password changed during the check ends this
 *   session too
 * @returns the secret for the cookie
 * @throws CommonError `service_unavailable`
 */
export async function startSession(
  deps: SessionDeps,
  signIn: Pick<Session, 'userId' | 'securityRev' | 'authentication' | 'signedInFor' | 'browser'> & {
    replaces: SecretDigest | undefined
  },
): Promise<string> {
  const secret = deps.ids.secret()
  const { replaces, ...signedIn } = signIn
  const replaced = replaces === undefined ? undefined : await deps.sessions.find(replaces)
  const session = { ...signedIn, validUntil: signIn.authentication.at + SESSION_SECONDS * 1000 }
  const joins = replaced?.userId === signIn.userId && replaced.securityRev === signIn.securityRev
  const hasJoined = joins && (await deps.sessions.start(digestSecret(secret), { ...session, id: replaced.id }, true))
  if (!hasJoined) await deps.sessions.start(digestSecret(secret), { ...session, id: deps.ids.uuid() }, false)
  if (replaces !== undefined) await deps.sessions.end(replaces)
  return secret
}

/**
 * Ends the session with this secret, if there is one, and nothing else.
 * @throws CommonError `service_unavailable`
 */
export async function endSession(deps: Pick<SessionDeps, 'sessions'>, secret: string | undefined): Promise<void> {
  if (secret !== undefined) await deps.sessions.end(digestSecret(secret))
}

/**
 * Makes a session one of two factors after its user, signed in by one, has shown another that is new to the account. As a sign-in it has a
 * new secret, and is as old as it was. Undefined where it has two already.
 * @param proven what was shown, as `methodsOf` says
 * @returns the secret for the cookie
 * @throws CommonError `service_unavailable`
 */
export async function strengthenSession(
  deps: SessionDeps,
  { user, securityRev, authentication, browser, signedInFor }: LiveSession,
  { proven, replaces }: { proven: Authentication['methods']; replaces: string },
): Promise<string | undefined> {
  if (levelOf(authentication) === 'aal2') return undefined
  const methods = [...new Set([...authentication.methods, ...proven, 'mfa' as const])]
  return startSession(deps, {
    userId: user.id,
    securityRev,
    authentication: { at: authentication.at, methods },
    browser,
    signedInFor,
    replaces: digestSecret(replaces),
  })
}
