import { AuthenticatorError } from './errors.ts'

const MAX_CHARACTERS = 64

/**
 * A passkey's name as it is stored: without white space around it, 1 to 64 characters, in one line.
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
