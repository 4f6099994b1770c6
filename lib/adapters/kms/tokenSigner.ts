import { createHash } from 'node:crypto'
import { type KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { derToJose } from 'ecdsa-sig-formatter'

/** KMS takes messages up to this size (bytes); a larger one is hashed here. */
const MAX_MESSAGE_BYTES = 4096

/** Signs tokens with ES256 (RFC 7518 section 3.4) by a P-256 key that never leaves KMS. Errors of the SDK pass through unchanged. */
export function createTokenSigner({ client, keyId }: { client: KMSClient; keyId: string }) {
  return {
    /** The KMS key id, as given. */
    keyId,
    /** The signature over a JWS signing input, `r || s` as base64url. */
    async sign(signingInput: string): Promise<string> {
      const message = Buffer.from(signingInput)
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: keyId,
          SigningAlgorithm: 'ECDSA_SHA_256',
          ...(message.length <= MAX_MESSAGE_BYTES
            ? { MessageType: 'RAW', Message: message }
            : { MessageType: 'DIGEST', Message: createHash('sha256').update(message).digest() }),
        }),
      )
      if (Signature === undefined) throw new Error('KMS answered Sign without a signature')
      return derToJose(Buffer.from(Signature), 'ES256')
    },
  }
}
