import { createHash } from 'node:crypto'
import type { Caller } from '../../core/identity.ts'
import type { UserId } from '../../core/ids.ts'
import type { RecoveryCodeDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { secondFactorsOf } from '../listAuthenticators.ts'
import { newUntilOf } from '../newFactor.ts'
import type { Addition } from '../ports.ts'
import { requireVerifiedCaller } from '../requireVerifiedCaller.ts'

/** RFC 4648 base32 in lower case: without 0, 1, 8 and 9, which look like letters. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const CHARACTERS = 24
/** Codes made earlier have 100 bits, and stay valid until the user makes new codes. */
const EARLIER_CHARACTERS = 20
const GROUP = 4

/**
 * A recovery code of 120 random bits: `abcd-efgh-ijkl-mnop-qrst-uvwx`.
 * @param random at least 24 random bytes as base64url
 */
function recoveryCodeOf(random: string): string {
  const characters = [...Buffer.from(random, 'base64url').subarray(0, CHARACTERS)].map((byte) => ALPHABET[byte % 32])
  return (characters.join('').match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')
}

/**
 * The stored form of a user's code: SHA-256, base64url. A code has at least 100 random bits and cannot be guessed from it, so it needs no slow hash.
 * Ignores case, white space and hyphens, since people type codes. Undefined if the text is not a code.
 */
function recoveryCodeDigest(userId: UserId, code: string): string | undefined {
  const typed = code.toLowerCase().replaceAll(/[\s\p{Pd}]/gu, '')
  if (typed.length !== CHARACTERS && typed.length !== EARLIER_CHARACTERS) return undefined
  if (![...typed].every((character) => ALPHABET.includes(character))) return undefined
  return createHash('sha256').update(`${userId} ${typed}`).digest('base64url')
}

const CODES = 10

/**
 * Makes ten new recovery codes for the calling user, who sees them once: only digests are stored. All earlier codes end. The caller must
 * have checked for a recent sign-in with a second factor.
 * @throws AuthenticatorError `email_not_verified`; `no_second_factor` if the user has neither a passkey nor TOTP; CommonError
 *   `invalid_token`; `service_unavailable`, after which earlier codes may have ended: make new codes
 */
export async function createRecoveryCodes(
  deps: RecoveryCodeDeps,
  caller: Caller,
  addedFrom?: Addition['addedFrom'],
): Promise<string[]> {
  const { userId } = caller
  const [own, user] = await Promise.all([deps.authenticators.list(userId), requireVerifiedCaller(deps, caller)])
  if (secondFactorsOf(own).length === 0) throw new AuthenticatorError('no_second_factor')
  const codes = Array.from({ length: CODES }, () => recoveryCodeOf(deps.ids.secret()))
  const digests = codes.flatMap((code) => recoveryCodeDigest(userId, code) ?? [])
  const now = deps.clock.now()
  const newUntil = newUntilOf(own, user, now)
  await deps.recoveryCodes.replace(caller, digests, { createdAt: now, newUntil, addedFrom })
  return codes
}

/**
 * Accepts a recovery code as the second factor, after a right password: each code once. Tries are not counted: a code cannot be guessed, and
 * a person with the password cannot lock the owner out. Success voids a request to remove the factors.
 * @throws AuthenticatorError `code_refused` if the code is wrong or used; CommonError `service_unavailable`, after which the code may be
 *   used: the list shows how many are left
 */
export async function verifyRecoveryCode(
  { recoveryCodes, clock }: Pick<RecoveryCodeDeps, 'recoveryCodes' | 'clock'>,
  { userId, code }: { userId: UserId; code: string },
): Promise<void> {
  const digest = recoveryCodeDigest(userId, code)
  const isUsed = digest !== undefined && (await recoveryCodes.use(userId, digest, clock.now()))
  if (!isUsed) throw new AuthenticatorError('code_refused')
}
