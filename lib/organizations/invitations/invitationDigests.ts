import { createHash } from 'node:crypto'
import { emailKey } from '../../users/emailKey.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The stored form of an invitation's token of 32 random bytes: SHA-256 as base64url. */
export function digestInvitationToken(token: string): string {
  return sha256(token)
}

/**
 * An invitation's id in its organization: equal for all spellings of one address, and does not reveal the address.
 * 43 characters.
 */
export function invitationIdOf(email: string): string {
  return sha256(emailKey(email))
}
