import { createHash } from 'node:crypto'
import { type KMSClient, SignCommand } from '@aws-sdk/client-kms'
import type { TokenSigner } from '../../oauth/ports.ts'

/** KMS takes messages up to this size (bytes); a larger one is hashed here. */
const MAX_MESSAGE_BYTES = 4096

/** Signs tokens with RS256 (RFC 7518 §3.3) by an RSA key that never leaves KMS. Errors of the SDK pass through unchanged. */
export function createTokenSigner({ client, keyId }: { client: KMSClient; keyId: string }): TokenSigner {
  return {
    keyId,
    algorithm: 'RS256',
    async sign(signingInput) {
      const message = Buffer.from(signingInput)
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: keyId,
          SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
          ...(message.length <= MAX_MESSAGE_BYTES
            ? { MessageType: 'RAW', Message: message }
            : { MessageType: 'DIGEST', Message: createHash('sha256').update(message).digest() }),
        }),
      )
      if (Signature === undefined) throw new Error('KMS answered Sign without a signature')
      return Buffer.from(Signature).toString('base64url')
    },
  }
}
