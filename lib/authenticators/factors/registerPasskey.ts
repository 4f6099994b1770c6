import type { Caller } from '../../core/identity.ts'
import type { PasskeyDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { newUntilOf } from '../newFactor.ts'
import type { Addition, Passkey, WebAuthnOptions } from '../ports.ts'
import { requireVerifiedCaller } from '../requireVerifiedCaller.ts'
import { passkeyName } from './managePasskeys.ts'
import { claimOf, issueChallenge } from './passkeyChallenge.ts'

/** The most that a user may have. */
const MAX_PASSKEYS = 10

/**
 * Options for the browser to create a passkey for the calling user (`startRegistration`), with a challenge that works once within 5
 * minutes. Callers of this function and of `finishPasskeyRegistration` must have checked for a recent sign-in, with a second factor if the
 * account has one.
 * @throws AuthenticatorError `email_not_verified`, `too_many_passkeys`; CommonError `invalid_token`, `service_unavailable`
 */
export async function beginPasskeyRegistration(deps: PasskeyDeps, caller: Caller): Promise<WebAuthnOptions> {
  const { userId } = caller
  const [{ id, email, username }, { passkeys }] = await Promise.all([
    requireVerifiedCaller(deps, caller),
    deps.authenticators.list(userId),
  ])
  if (passkeys.length >= MAX_PASSKEYS) throw new AuthenticatorError('too_many_passkeys')
  const challenge = await issueChallenge(deps, { purpose: 'registration', userId })
  return deps.webAuthn.registrationOptions({ challenge, user: { id, email, username }, existing: passkeys })
}

/**
 * Stores the passkey that a browser created, once. From the next sign-in on, the account asks for a second factor; no session ends.
 * `response` is as the browser sent it.
 * @throws AuthenticatorError `passkey_refused` for another challenge, origin or relying party, a challenge used or expired, or a user who
 *   was not verified; `passkey_name_invalid`, `passkey_already_registered`, `too_many_passkeys`; CommonError `invalid_token`;
 *   `service_unavailable`, after which the passkey may be stored: the list shows it
 */
export async function finishPasskeyRegistration(
  deps: PasskeyDeps,
  caller: Caller,
  { response, name, addedFrom }: { response: unknown; name: string } & Pick<Addition, 'addedFrom'>,
): Promise<Passkey> {
  const chosenName = passkeyName(name)
  const { challenge } = await claimOf(deps, response, { purpose: 'registration', userId: caller.userId })
  const credential = await deps.webAuthn.verifyRegistration(response, { challenge })
  if (credential === undefined)
    throw new AuthenticatorError('passkey_refused', { message: 'registration not verified' })
  const [user, own] = await Promise.all([requireVerifiedCaller(deps, caller), deps.authenticators.list(caller.userId)])
  const now = deps.clock.now()
  const { userVerified: _, ...kept } = credential
  const addition = { createdAt: now, newUntil: newUntilOf(own, user, now), addedFrom }
  const passkey: Passkey = { ...kept, name: chosenName, ...addition, lastUsedAt: now }
  const outcome = await deps.passkeys.add(caller, passkey, { challenge, now, limit: MAX_PASSKEYS })
  if (outcome === 'already_registered') throw new AuthenticatorError('passkey_already_registered')
  if (outcome === 'too_many') throw new AuthenticatorError('too_many_passkeys')
  if (outcome === 'challenge_used') {
    throw new AuthenticatorError('passkey_refused', { message: 'challenge used or expired by now' })
  }
  return passkey
}
