import { type Arrival, type Authentication, levelOf, type SignOn, signOnOf } from '../../core/authentication.ts'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import type { Accounts, KnownBrowserCookie, User } from '../../users/ports.ts'
import type { Session, Sessions } from '../ports.ts'
import { digestSecret, type SecretDigest } from '../secretDigest.ts'
import { whyEnded } from '../token/requireActiveUser.ts'

/** Lifetime of a session from its sign-in, even if it is used. */
export const SESSION_SECONDS = 12 * 60 * 60

/** The provider of a company has signed its person out before a session began here. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError'
}

/** What is begun, or `otherwise` if it fails with SignedOutError. */
export async function unlessSignedOut<Begun, Other>(
  begun: Promise<Begun>,
  otherwise: () => Other,
): Promise<Begun | Awaited<Other>> {
  try {
    return await begun
  } catch (error) {
    if (error instanceof SignedOutError) return await otherwise()
    throw error
  }
}

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
  /** The secret in the session cookie, even if no session has it. */
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

/** What to do with the session cookie: set it to the secret of a session or of a pending sign-in, or clear it. */
export type SessionChange =
  | {
      readonly started: string
      readonly maxAgeSeconds: number
      /** The browser is known for the account by this cookie, even when the session has ended; undefined while the sign-in is pending. */
      readonly knownBrowser?: KnownBrowserCookie
    }
  | 'ended'

/**
 * The session with this secret; undefined if there is none or it has ended, and if the user does not exist any more, is switched off, or has
 * been signed out everywhere since, for example by a new password.
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
 * Starts a session under a new secret, and ends the session that the browser had: a secret that another person may know never becomes a
 * session (OWASP Session Management, session fixation). If the old session is live and of the same user, the list shows both as a single
 * session: ending it ends what first-party clients got before and after.
 * @param signIn `securityRev` is of the account whose password was checked: if the password changes during the check, this session ends too
 * @returns the secret for the cookie
 * @throws SignedOutError if its user arrived from the provider of a company, which has signed them out since; CommonError `service_unavailable`
 */
export async function startSession(
  deps: Pick<SessionDeps, 'sessions' | 'ids'>,
  signIn: Pick<Session, 'userId' | 'securityRev' | 'authentication' | 'signedInFor' | 'browser'> & {
    replaces: SecretDigest | undefined
    arrival?: Arrival | undefined
  },
): Promise<string> {
  const secret = deps.ids.secret()
  const { replaces, arrival, ...signedIn } = signIn
  const replaced = replaces === undefined ? undefined : await deps.sessions.find(replaces)
  const session = { ...signedIn, validUntil: signIn.authentication.at + SESSION_SECONDS * 1000 }
  const joins = replaced?.userId === signIn.userId && replaced.securityRev === signIn.securityRev
  const start = (id: string, joining: boolean) =>
    deps.sessions.start(digestSecret(secret), { ...session, id }, joining, arrival)
  const hasStarted = (joins && (await start(replaced.id, true))) || (await start(deps.ids.uuid(), false))
  if (!hasStarted) throw new SignedOutError()
  if (replaces !== undefined) await deps.sessions.end(replaces)
  return secret
}

/**
 * Raises a session to two factors, when its user has signed in by a single factor and then registered another. Like a sign-in it gets a new
 * secret; its age stays. Undefined if the session has two factors already.
 * @param proven what was shown, as `methodsOf` says, and until when it is new
 * @returns the secret for the cookie
 * @throws CommonError `service_unavailable`
 */
export async function strengthenSession(
  deps: SessionDeps,
  session: LiveSession,
  { proven, replaces }: { proven: Omit<Authentication, 'at' | keyof SignOn>; replaces: string },
): Promise<string | undefined> {
  if (levelOf(session.authentication) === 'aal2') return undefined
  const { at } = session.authentication
  const signOn = signOnOf(session.authentication)
  const methods = [...new Set([...session.authentication.methods, ...proven.methods, 'mfa' as const])]
  return restart(deps, session, { authentication: { ...proven, at, methods, ...signOn }, replaces })
}

/**
 * The session of a user who has shown the single sign-on of an organization too, under a new secret; its age and its methods stay.
 * @throws SignedOutError if the provider has signed them out since; CommonError `service_unavailable`
 */
export async function signOnSession(
  deps: Pick<SessionDeps, 'sessions' | 'ids'>,
  session: LiveSession,
  { signOn, ...begun }: { signOn: SignOn; arrival: Arrival | undefined; replaces: string },
): Promise<SessionChange> {
  const started = await restart(deps, session, { authentication: { ...session.authentication, ...signOn }, ...begun })
  return { started, maxAgeSeconds: SESSION_SECONDS }
}

function restart(
  deps: Pick<SessionDeps, 'sessions' | 'ids'>,
  { user, securityRev, browser, signedInFor }: LiveSession,
  { replaces, ...begun }: { authentication: Authentication; arrival?: Arrival | undefined; replaces: string },
): Promise<string> {
  const signIn = { userId: user.id, securityRev, browser, signedInFor, ...begun }
  return startSession(deps, { ...signIn, replaces: digestSecret(replaces) })
}
