import { createHash } from 'node:crypto'
import { emailKey } from '../../users/emailKey.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The stored form of an invitation's token of 32 random bytes: SHA-256 as base64url. */
export function digestInvitationToken(token: string): string {
  return sha256(token)
}

/** An invitation's id in its organization: the same for all spellings of the address, which it does not reveal. 43 characters. */
export function invitationIdOf(email: string): string {
  return sha256(emailKey(email))
}
