import type { Caller } from '../../core/identity.ts'
import type { PasskeyDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'

const MAX_CHARACTERS = 64

/**
 * A passkey's name as stored: without surrounding white space, 1 to 64 characters, in a single line.
 * @throws AuthenticatorError `passkey_name_invalid`
 */
export function passkeyName(name: string): string {
  const trimmed = name.normalize('NFC').trim()
  const characters = [...trimmed].length
  if (characters < 1 || characters > MAX_CHARACTERS || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(trimmed)) {
    throw new AuthenticatorError('passkey_name_invalid')
  }
  return trimmed
}

/**
 * Renames a passkey of the calling user.
 * @throws AuthenticatorError `authenticator_not_found`, `passkey_name_invalid`; CommonError `invalid_token`, `service_unavailable`
 */
export async function renamePasskey(
  { passkeys }: Pick<PasskeyDeps, 'passkeys'>,
  caller: Caller,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<void> {
  const outcome = await passkeys.rename(caller, passkeyId, passkeyName(name))
  if (outcome === 'not_found') throw new AuthenticatorError('authenticator_not_found')
}

/**
 * Removes a passkey of the calling user; it cannot sign in any more. No session ends. If neither a passkey nor TOTP is left, sign-ins ask
 * for no second factor from then on. The caller must have checked for a recent sign-in with a second factor.
 * @throws AuthenticatorError `authenticator_not_found`; CommonError `invalid_token`, `service_unavailable`
 */
export async function removePasskey(
  { passkeys }: Pick<PasskeyDeps, 'passkeys'>,
  caller: Caller,
  passkeyId: string,
): Promise<void> {
  const outcome = await passkeys.remove(caller, passkeyId)
  if (outcome === 'not_found') throw new AuthenticatorError('authenticator_not_found')
}
