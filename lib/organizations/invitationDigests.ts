import { createHash } from 'node:crypto'
import { emailKey } from '../users/emailKey.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** An invitation's token, 32 random bytes, as it is stored: SHA-256 as base64url. */
export function digestInvitationToken(token: string): string {
  return sha256(token)
}

/**
 * An invitation's id within its organization: the same for every spelling of one address, and of no use to whoever does not
 * know the address. 43 characters.
 */
export function invitationIdOf(email: string): string {
  return sha256(emailKey(email))
}
