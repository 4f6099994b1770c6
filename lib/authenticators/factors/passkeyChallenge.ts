import type { UserId } from '../../core/ids.ts'
import type { PasskeyDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import type { ChallengePurpose, ClaimedResponse } from '../ports.ts'

/** As long as the browser's prompt may be open. */
const CHALLENGE_LIFE_MS = 5 * 60_000

/** The purpose and user of a challenge. */
interface ChallengeFor {
  readonly purpose: ChallengePurpose
  readonly userId: UserId | undefined
}

/** Issues a challenge that works once, within 5 minutes, for the same purpose and user. Throws CommonError `service_unavailable`. */
export async function issueChallenge(
  { challenges, clock, ids }: Pick<PasskeyDeps, 'challenges' | 'clock' | 'ids'>,
  { purpose, userId }: ChallengeFor,
): Promise<string> {
  const challenge = ids.secret()
  await challenges.issue(challenge, { purpose, userId, validUntil: clock.now() + CHALLENGE_LIFE_MS })
  return challenge
}

/**
 * Returns what a browser's response claims if its challenge was issued for this purpose and is unused. The write that follows uses the
 * challenge and fails if it has expired, so a crash in between does not use it up.
 * @throws AuthenticatorError `passkey_refused`; CommonError `service_unavailable`
 */
export async function claimOf(
  { challenges, webAuthn }: Pick<PasskeyDeps, 'challenges' | 'webAuthn'>,
  response: unknown,
  { purpose, userId }: ChallengeFor,
): Promise<ClaimedResponse> {
  const claim = webAuthn.read(response)
  if (claim === undefined) throw new AuthenticatorError('passkey_refused', { message: 'not a WebAuthn response' })
  const issued = await challenges.find(claim.challenge)
  if (issued === undefined) {
    throw new AuthenticatorError('passkey_refused', { message: 'challenge unknown or used' })
  }
  if (issued.purpose !== purpose || issued.userId !== userId) {
    throw new AuthenticatorError('passkey_refused', { message: 'challenge issued for something else' })
  }
  return claim
}
