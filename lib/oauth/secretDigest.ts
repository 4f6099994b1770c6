import { createHash, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'

/** SHA-256 of a secret, code or refresh token as base64url. The brand prevents storing a plaintext by mistake. */
export const secretDigestSchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{43}$/))
  .brand<'SecretDigest'>()
export type SecretDigest = z.infer<typeof secretDigestSchema>

/** The digest of a secret of 256 random bits. Such a secret cannot be guessed, so the digest needs no salt and no slow hash. */
export function digestSecret(secret: string): SecretDigest {
  return secretDigestSchema.parse(createHash('sha256').update(secret).digest('base64url'))
}

/** Whether two digests are equal, in constant time. */
export function sameDigest(a: SecretDigest, b: SecretDigest): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
