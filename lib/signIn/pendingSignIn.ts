import { type SignOn, signOnOf } from '../core/authentication.ts'
import { digestSecret, type SecretDigest } from '../oauth/secretDigest.ts'
import type { SessionDeps } from '../oauth/session/session.ts'
import { whyEnded } from '../oauth/token/requireActiveUser.ts'
import type { User } from '../users/ports.ts'
import type { PendingSignIn, PendingSignIns } from './ports.ts'

/** From the right password to the second factor: long enough to fetch a phone, or to read the page of lost second factors. */
export const PENDING_SECONDS = 10 * 60

export interface PendingDeps extends SessionDeps {
  readonly pendingSignIns: PendingSignIns
}

/** A pending sign-in that has neither ended nor expired, and whose password has not changed since. */
interface LivePendingSignIn {
  readonly digest: SecretDigest
  readonly user: User
  readonly securityRev: number
  readonly credentialsRev: number | undefined
  readonly previousPasswordSetAt: number | undefined
  /** Names the browser while it enters the same account's password again. */
  readonly browser: SecretDigest
}

/**
 * Begins a pending sign-in when the password was right, or its user came from a provider, under a new secret: a secret that another person may know leads nowhere (session
 * fixation). If a sign-in was pending in this browser, it ends. The browser's session ends when the new sign-in succeeds or is given up.
 * @param secret in the browser's cookie
 * @returns the secret for the cookie
 * @throws CommonError `service_unavailable`
 */
export async function beginPendingSignIn(
  deps: PendingDeps,
  user: Pick<PendingSignIn, 'userId' | 'securityRev' | 'atProvider' | 'arrival' | keyof SignOn>,
  secret: string,
): Promise<string> {
  const before = digestSecret(secret)
  const ended = await deps.pendingSignIns.end(before)
  const { replaces } = ended ?? { replaces: before }
  const begun = deps.ids.secret()
  const validUntil = deps.clock.now() + PENDING_SECONDS * 1000
  const { userId, securityRev, atProvider, arrival } = user
  const isSame = ended?.userId === userId && ended.securityRev === securityRev
  const browser = isSame ? (ended.browser ?? before) : undefined
  await deps.pendingSignIns.begin(digestSecret(begun), {
    userId,
    securityRev,
    validUntil,
    replaces,
    browser,
    atProvider,
    arrival,
    ...signOnOf(user),
  })
  return begun
}

/**
 * The pending sign-in with this secret; undefined if there is none, if it has expired, or if the account is switched off or was signed out
 * everywhere since, for example by a new password.
 * @throws CommonError `service_unavailable`
 */
export async function readPendingSignIn(
  deps: Pick<PendingDeps, 'pendingSignIns' | 'accounts' | 'clock'>,
  secret: string | undefined,
): Promise<LivePendingSignIn | undefined> {
  if (secret === undefined) return undefined
  const digest = digestSecret(secret)
  const pending = await deps.pendingSignIns.find(digest)
  if (pending === undefined || deps.clock.now() >= pending.validUntil) return undefined
  const account = await deps.accounts.find(pending.userId)
  if (account === undefined || whyEnded({ securityRev: pending.securityRev }, account) !== undefined) return undefined
  const { user, securityRev, credentialsRev, previousPasswordSetAt } = account
  return { digest, user, securityRev, credentialsRev, previousPasswordSetAt, browser: pending.browser ?? digest }
}

/**
 * Signs the browser out of this service's pages: ends a pending sign-in, and the session that it would have replaced, or the session with this
 * secret. Its user can sign in with another account then.
 * @throws CommonError `service_unavailable`
 */
export async function leaveAccount(
  deps: Pick<PendingDeps, 'pendingSignIns' | 'sessions'>,
  secret: string,
): Promise<void> {
  const session = await endPendingSignIn(deps, secret)
  if (session !== undefined) await deps.sessions.end(session)
}

/**
 * Ends the pending sign-in with this secret, if it exists.
 * @returns the session that the next session replaces: if a sign-in was pending, the session that it would have replaced, else the session with
 *   this secret
 * @throws CommonError `service_unavailable`
 */
export async function endPendingSignIn(
  { pendingSignIns }: Pick<PendingDeps, 'pendingSignIns'>,
  secret: string,
): Promise<SecretDigest | undefined> {
  const digest = digestSecret(secret)
  const pending = await pendingSignIns.end(digest)
  return pending === undefined ? digest : pending.replaces
}
