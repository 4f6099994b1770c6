import type { Caller } from '../../core/identity.ts'
import type { TotpDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { newUntilOf } from '../newFactor.ts'
import type { Addition, TotpAuthenticator } from '../ports.ts'
import { requireVerifiedCaller } from '../requireVerifiedCaller.ts'

/** An enrollment must be confirmed within this time. */
const ENROLLMENT_LIFE_MS = 15 * 60_000

/** A new secret, as the user sees it until a code of it is confirmed. Never logged. */
interface TotpEnrollment {
  /** `otpauth://totp/...`, for a QR code. */
  readonly uri: string
  /** The same secret in base32, for typing. */
  readonly secret: string
}

/**
 * Makes a new secret for the calling user. It proves nothing until a code of it is confirmed within 15 minutes. Replaces an earlier pending
 * enrollment. Callers of this function and of `confirmTotp` must have checked for a recent sign-in, with a second factor if the account has
 * one.
 * @throws AuthenticatorError `email_not_verified`; `totp_exists`: remove the current TOTP first; CommonError `invalid_token`,
 *   `service_unavailable`
 */
export async function beginTotpEnrollment(deps: TotpDeps, caller: Caller): Promise<TotpEnrollment> {
  const { userId } = caller
  const [user, current] = await Promise.all([requireVerifiedCaller(deps, caller), deps.totpAuthenticators.find(userId)])
  if (current !== undefined) throw new AuthenticatorError('totp_exists')
  const secret = deps.totp.secretOf(deps.ids.secret())
  const cipher = await deps.totpCipher.encrypt(userId, secret)
  const validUntil = deps.clock.now() + ENROLLMENT_LIFE_MS
  await deps.totpAuthenticators.begin(caller, { id: deps.ids.uuid(), cipher, validUntil })
  return { secret, uri: deps.totp.uriOf(secret, user.email) }
}

/**
 * Returns the calling user's pending enrollment, to show it again after a wrong code; undefined if there is none or it has expired.
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function readTotpEnrollment(deps: TotpDeps, caller: Caller): Promise<TotpEnrollment | undefined> {
  const { userId } = caller
  const [user, pending] = await Promise.all([
    requireVerifiedCaller(deps, caller),
    deps.totpAuthenticators.findPending(userId),
  ])
  if (pending === undefined || pending.validUntil <= deps.clock.now()) return undefined
  const secret = await deps.totpCipher.decrypt(userId, pending.cipher)
  return { secret, uri: deps.totp.uriOf(secret, user.email) }
}

/**
 * Confirms the pending enrollment, once, if `code` is from its secret; that code cannot sign in any more. From the next sign-in on, the
 * account asks for a second factor; no session ends. The user may correct a wrong code.
 * @throws AuthenticatorError `enrollment_expired`, also if no enrollment is pending; `code_refused`, `totp_exists`; CommonError
 *   `invalid_token`; `service_unavailable`, after which it may be confirmed: the list shows it
 */
export async function confirmTotp(
  deps: TotpDeps,
  caller: Caller,
  code: string,
  addedFrom?: Addition['addedFrom'],
): Promise<TotpAuthenticator> {
  const { userId } = caller
  const now = deps.clock.now()
  const pending = await deps.totpAuthenticators.findPending(userId)
  if (pending === undefined || pending.validUntil <= now) throw new AuthenticatorError('enrollment_expired')
  const { cipher } = pending
  const lastStep = deps.totp.stepOf(await deps.totpCipher.decrypt(userId, cipher), code, now)
  if (lastStep === undefined) throw new AuthenticatorError('code_refused')
  const [user, own] = await Promise.all([requireVerifiedCaller(deps, caller), deps.authenticators.list(userId)])
  const addition = { createdAt: now, newUntil: newUntilOf(own, user, now), addedFrom }
  const totp = { cipher, lastStep, ...addition, lastUsedAt: now }
  const outcome = await deps.totpAuthenticators.confirm(caller, pending, totp)
  if (outcome === 'exists') throw new AuthenticatorError('totp_exists')
  if (outcome === 'gone') throw new AuthenticatorError('enrollment_expired')
  return totp
}

/**
 * Removes the calling user's TOTP; its codes prove nothing any more. No session ends. If no passkey is left, sign-ins ask for no second
 * factor from then on. The caller must have checked for a recent sign-in with a second factor.
 * @throws AuthenticatorError `authenticator_not_found`; CommonError `invalid_token`, `service_unavailable`
 */
export async function removeTotp(
  { totpAuthenticators }: Pick<TotpDeps, 'totpAuthenticators'>,
  caller: Caller,
): Promise<void> {
  const outcome = await totpAuthenticators.remove(caller)
  if (outcome === 'not_found') throw new AuthenticatorError('authenticator_not_found')
}
