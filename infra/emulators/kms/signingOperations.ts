import { createHash } from 'node:crypto'
import * as z from 'zod'
import { signDigest, toPublicKey, verifyDigest } from './ecdsaP256.ts'
import type { Key, KeyStore } from './keyStore.ts'
import { KmsError } from './kmsError.ts'
import { assertUsable, blob, keyIdentifier, type Operation, operation } from './operation.ts'

const SIGNING_ALGORITHMS = [
  ...['PSS', 'PKCS1_V1_5'].flatMap((scheme) => [256, 384, 512].map((bits) => `RSASSA_${scheme}_SHA_${bits}`)),
  ...[256, 384, 512].map((bits) => `ECDSA_SHA_${bits}`),
]

const signRequest = z.object({
  KeyId: keyIdentifier,
  Message: blob(1, 4096),
  MessageType: z.enum(['RAW', 'DIGEST']).default('RAW'),
  SigningAlgorithm: z.enum(SIGNING_ALGORITHMS),
})
const verifyRequest = signRequest.extend({ Signature: blob(1, 6144) })

/** ECDSA_SHA_256 over P-256, on messages (RAW) and on SHA-256 digests (DIGEST). Signatures are DER. */
export function signingOperations(store: KeyStore) {
  function usable(identifier: string, algorithm: string): Key {
    const key = store.find(identifier)
    assertUsable(key, 'SIGN_VERIFY')
    if (algorithm !== 'ECDSA_SHA_256') {
      throw new KmsError('InvalidKeyUsageException', `Algorithm ${algorithm} is incompatible with ${key.keySpec}.`)
    }
    return key
  }

  function digestOf({ Message, MessageType }: z.output<typeof signRequest>): Buffer {
    if (MessageType === 'RAW') return createHash('sha256').update(Message).digest()
    if (Message.length === 32) return Message
    throw new KmsError('ValidationException', 'Digest is invalid length for algorithm ECDSA_SHA_256.')
  }

  return {
    GetPublicKey: operation(z.object({ KeyId: keyIdentifier }), ({ KeyId }) => {
      const key = store.find(KeyId)
      if (key.keySpec === 'SYMMETRIC_DEFAULT') throw new KmsError('UnsupportedOperationException')
      assertUsable(key, 'SIGN_VERIFY')
      return {
        KeyId: key.arn,
        PublicKey: toPublicKey(store.signingKey(key)).export({ type: 'spki', format: 'der' }).toString('base64'),
        KeySpec: key.keySpec,
        CustomerMasterKeySpec: key.keySpec,
        KeyUsage: key.keyUsage,
        SigningAlgorithms: ['ECDSA_SHA_256'],
      }
    }),
    Sign: operation(signRequest, (input) => {
      const key = usable(input.KeyId, input.SigningAlgorithm)
      const signature = signDigest(store.signingKey(key), digestOf(input))
      return { KeyId: key.arn, Signature: signature.toString('base64'), SigningAlgorithm: input.SigningAlgorithm }
    }),
    Verify: operation(verifyRequest, (input) => {
      const key = usable(input.KeyId, input.SigningAlgorithm)
      if (!verifyDigest(store.signingKey(key), digestOf(input), input.Signature)) {
        throw new KmsError('KMSInvalidSignatureException')
      }
      return { KeyId: key.arn, SignatureValid: true, SigningAlgorithm: input.SigningAlgorithm }
    }),
  } as const satisfies Record<string, Operation>
}
