import type { UserId } from '../../core/ids.ts'
import type { SignedIn } from '../../users/ports.ts'
import type { PasskeyDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import type { Proof } from '../methodsOf.ts'
import { isNew } from '../newFactor.ts'
import type { WebAuthnOptions } from '../ports.ts'
import { claimOf, issueChallenge } from './passkeyChallenge.ts'

/**
 * How a passkey is used: as the only factor, by a user who is not known yet (a discoverable credential, also with conditional UI), or as
 * the second factor of a user whose password was right. A passkey as the only factor always verifies its user.
 */
export type PasskeyFactor =
  | { readonly purpose: 'only_factor'; readonly userId?: undefined }
  | { readonly purpose: 'second_factor'; readonly userId: UserId }

/** A user who signed in with a passkey, and the proof for `methodsOf`. */
interface PasskeySignIn {
  readonly user: SignedIn
  readonly proof: Extract<Proof, { kind: 'passkey' }>
  /** Until when the passkey is new, in Unix milliseconds; undefined if it never was. */
  readonly newUntil: number | undefined
}

/**
 * Options for the browser to use a passkey (`startAuthentication`), with a challenge that works once within 5 minutes. For the only factor
 * they are the same for everyone, so they do not reveal whether an address has an account.
 * @throws AuthenticatorError `authenticator_not_found` if the user of a second factor has no passkey; CommonError `service_unavailable`
 */
export async function beginPasskeySignIn(deps: PasskeyDeps, factor: PasskeyFactor): Promise<WebAuthnOptions> {
  const { purpose, userId } = factor
  const allowed = userId === undefined ? [] : (await deps.authenticators.list(userId)).passkeys
  if (userId !== undefined && allowed.length === 0) throw new AuthenticatorError('authenticator_not_found')
  const challenge = await issueChallenge(deps, { purpose, userId })
  return deps.webAuthn.signInOptions({ challenge, allowed, requireUserVerification: purpose === 'only_factor' })
}

/**
 * Returns the user whose passkey signed the challenge; for a second factor, the given user. Only success uses the challenge. `response` is
 * as the browser sent it. A successful sign-in voids a request to reset the second factors.
 * @throws AuthenticatorError `passkey_too_new` if it is the only factor and was added in the last 24 hours without an older factor;
 *   `passkey_refused`: a challenge used, expired or for something else, another origin or relying party, a foreign
 *   or unknown credential, a counter that did not grow, a user not verified for the only factor, an inactive account; CommonError
 *   `service_unavailable`, after which the challenge may be used: begin again
 */
export async function verifyPasskeySignIn(
  deps: PasskeyDeps,
  factor: PasskeyFactor,
  response: unknown,
): Promise<PasskeySignIn> {
  const {
    challenge,
    credentialId,
    userId: claimedUser,
  } = await claimOf(deps, response, {
    purpose: factor.purpose,
    userId: factor.userId,
  })
  const found = await deps.passkeys.find(credentialId)
  // WebAuthn §7.2 step 6: the handle identifies the user if no user is known, and must always be the passkey's user.
  const expectedUser = factor.userId ?? claimedUser
  if (found === undefined || found.userId !== expectedUser || (claimedUser ?? found.userId) !== found.userId) {
    throw refused('credential unknown, or of another user')
  }
  const { userId, passkey } = found
  const requireUserVerification = factor.purpose === 'only_factor'
  const state = await deps.webAuthn.verifySignIn(response, { challenge, passkey, requireUserVerification })
  if (state === undefined || state.backupEligible !== passkey.backupEligible) throw refused('assertion not verified')
  if (factor.purpose === 'only_factor' && isNew(passkey, deps.clock.now())) {
    throw new AuthenticatorError('passkey_too_new')
  }
  const account = await deps.accounts.find(userId)
  if (!account?.user.isActive) throw refused('user is not active')
  const { counter, backedUp, backupEligible, userVerified } = state
  const use = { challenge, now: deps.clock.now(), counter, backedUp }
  if ((await deps.passkeys.use(userId, passkey.id, use)) === 'refused')
    throw refused('challenge used or expired by now')
  return {
    user: { ...account.user, securityRev: account.securityRev },
    proof: { kind: 'passkey', backupEligible, userVerified },
    newUntil: passkey.newUntil,
  }
}

function refused(message: string): AuthenticatorError {
  return new AuthenticatorError('passkey_refused', { message })
}
