import { createHash, timingSafeEqual } from 'node:crypto'
import { type SecretDigest, secretDigestSchema } from './ports.ts'

/** SHA-256 as base64url: enough for secrets of 256 random bits, which nobody can guess one by one. */
export function digestSecret(secret: string): SecretDigest {
  return secretDigestSchema.parse(createHash('sha256').update(secret).digest('base64url'))
}

/** Whether two digests are equal, in a time that does not tell where they differ. */
export function sameDigest(a: SecretDigest, b: SecretDigest): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
