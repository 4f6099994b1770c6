import type { Caller } from '../../core/identity.ts'
import type { TotpDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { requireVerifiedCaller } from '../requireVerifiedCaller.ts'

/** A begun enrollment is to be confirmed within this time. */
const ENROLLMENT_LIFE_MS = 15 * 60_000

/** A new secret, as its user is shown it until a code of it is confirmed. Never logged. */
interface TotpEnrollment {
  /** `otpauth://totp/...`, for a QR code. */
  readonly uri: string
  /** The same secret in base32, to be typed. */
  readonly secret: string
}

/**
 * Makes a new secret for the user who calls; it proves nothing until a code of it is confirmed, within 15 minutes. Replaces one begun
 * before. The caller of this and of `confirmTotp` has asked for a recent sign-in before, with a second factor where there is one.
 * @throws AuthenticatorError `email_not_verified`; `totp_exists`: remove that one first; CommonError `invalid_token`, `service_unavailable`
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
 * The enrollment that the user who calls has begun, to be shown again after a wrong code; undefined where there is none, or it has expired.
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
 * Makes the begun enrollment the user's TOTP, once, if `code` is one of its secret; that code signs in no more. From the next sign-in on, one of
 * the account's second factors is asked for; no session ends. A wrong code may be corrected.
 * @throws AuthenticatorError `enrollment_expired` also where none was begun, `code_refused`, `totp_exists`; CommonError `invalid_token`,
 *   `service_unavailable`, after which it may be confirmed: the list shows it
 */
export async function confirmTotp(deps: TotpDeps, caller: Caller, code: string): Promise<void> {
  const { userId } = caller
  const now = deps.clock.now()
  const pending = await deps.totpAuthenticators.findPending(userId)
  if (pending === undefined || pending.validUntil <= now) throw new AuthenticatorError('enrollment_expired')
  const { cipher } = pending
  const lastStep = deps.totp.stepOf(await deps.totpCipher.decrypt(userId, cipher), code, now)
  if (lastStep === undefined) throw new AuthenticatorError('code_refused')
  const totp = { cipher, lastStep, createdAt: now, lastUsedAt: now }
  const outcome = await deps.totpAuthenticators.confirm(caller, pending, totp)
  if (outcome === 'exists') throw new AuthenticatorError('totp_exists')
  if (outcome === 'gone') throw new AuthenticatorError('enrollment_expired')
}

/**
 * Removes the TOTP of the user who calls: its codes prove nothing any more. No session ends. Without a passkey, no second factor is asked for
 * from then on. The caller has asked for a recent sign-in with a second factor before.
 * @throws AuthenticatorError `authenticator_not_found`; CommonError `invalid_token`, `service_unavailable`
 */
export async function removeTotp(
  { totpAuthenticators }: Pick<TotpDeps, 'totpAuthenticators'>,
  caller: Caller,
): Promise<void> {
  const outcome = await totpAuthenticators.remove(caller)
  if (outcome === 'not_found') throw new AuthenticatorError('authenticator_not_found')
}
