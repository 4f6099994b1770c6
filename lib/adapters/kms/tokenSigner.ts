import { createHash } from 'node:crypto'
import { type KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { derToJose } from 'ecdsa-sig-formatter'
import type { SigningAlgorithm, TokenSigner } from '../../oauth/ports.ts'

/** KMS takes messages up to this size (bytes); a larger one is hashed here. */
const MAX_MESSAGE_BYTES = 4096

/** What KMS calls each algorithm (RFC 7518 §3.3, §3.4), and how its signature is written in a JWS: of ECDSA, KMS answers DER. */
const schemes = {
  RS256: { name: 'RSASSA_PKCS1_V1_5_SHA_256', encode: (signature: Buffer) => signature.toString('base64url') },
  ES256: { name: 'ECDSA_SHA_256', encode: (signature: Buffer) => derToJose(signature, 'ES256') },
} as const satisfies Record<SigningAlgorithm, unknown>

/**
 * Signs tokens by a key that never leaves KMS. Errors of the SDK pass through unchanged.
 * @param options `algorithm`: the one of this key: RS256 with 2048 bits; ES256 with P-256, for a stage whose keys are still of that kind
 */
export function createTokenSigner({
  client,
  keyId,
  algorithm,
}: {
  client: KMSClient
  keyId: string
  algorithm: SigningAlgorithm
}): TokenSigner {
  const { name, encode } = schemes[algorithm]
  return {
    keyId,
    algorithm,
    async sign(signingInput) {
      const message = Buffer.from(signingInput)
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: keyId,
          SigningAlgorithm: name,
          ...(message.length <= MAX_MESSAGE_BYTES
            ? { MessageType: 'RAW', Message: message }
            : { MessageType: 'DIGEST', Message: createHash('sha256').update(message).digest() }),
        }),
      )
      if (Signature === undefined) throw new Error('KMS answered Sign without a signature')
      return encode(Buffer.from(Signature))
    },
  }
}
