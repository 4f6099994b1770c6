import { digestSecret, type SecretDigest } from '../oauth/secretDigest.ts'
import type { SessionDeps } from '../oauth/session/session.ts'
import { whyEnded } from '../oauth/token/requireActiveUser.ts'
import type { User } from '../users/ports.ts'
import type { PendingSignIn, PendingSignIns } from './ports.ts'

/** From a right password to the second factor: long enough to fetch a phone, and to read the page of a lost one. */
export const PENDING_SECONDS = 10 * 60

export interface PendingDeps extends SessionDeps {
  readonly pendingSignIns: PendingSignIns
}

/** A pending sign-in that has neither ended nor expired, and whose password is still the account's. */
interface LivePendingSignIn {
  readonly digest: SecretDigest
  readonly user: User
  readonly securityRev: number
}

/**
 * Notes that the password of a user was right, under a new secret: one that another person may know never gets anywhere (session fixation).
 * A sign-in that was pending in this browser ends; the browser's session does when this one succeeds or is given up.
 * @param secret in the browser's cookie
 * @returns the secret for the cookie
 * @throws CommonError `service_unavailable`
 */
export async function beginPendingSignIn(
  deps: PendingDeps,
  user: Pick<PendingSignIn, 'userId' | 'securityRev'>,
  secret: string,
): Promise<string> {
  const replaces = await endPendingSignIn(deps, secret)
  const begun = deps.ids.secret()
  const validUntil = deps.clock.now() + PENDING_SECONDS * 1000
  const { userId, securityRev } = user
  await deps.pendingSignIns.begin(digestSecret(begun), { userId, securityRev, validUntil, replaces })
  return begun
}

/**
 * The pending sign-in with this secret; undefined where there is none, it has expired, or the account is switched off or was signed out
 * everywhere since, as by a new password.
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
  return { digest, user: account.user, securityRev: account.securityRev }
}

/**
 * Ends the pending sign-in with this secret, if there is one.
 * @returns the session that the next one replaces: what the pending one would have, else what has this secret itself
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
