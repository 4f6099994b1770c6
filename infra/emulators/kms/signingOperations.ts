import { createHash, createPublicKey } from 'node:crypto'
import * as z from 'zod'
import type { Key, KeyStore } from './keyStore.ts'
import { KmsError } from './kmsError.ts'
import { assertUsable, blob, keyIdentifier, type Operation, operation } from './operation.ts'
import { signDigest, verifyDigest } from './rsa2048.ts'

const EMULATED_ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256'

/** The algorithms of RSA_2048 (AWS KMS API Reference, `GetPublicKey`). */
const rsaAlgorithms = ['RSASSA_PKCS1_V1_5', 'RSASSA_PSS'].flatMap((scheme) =>
  ['SHA_256', 'SHA_384', 'SHA_512'].map((hash) => `${scheme}_${hash}`),
)

/** The algorithms of keys that the emulator does not have. */
const foreignAlgorithms = ['ECDSA_SHA_256', 'ECDSA_SHA_384', 'ECDSA_SHA_512']

const signRequest = z.object({
  KeyId: keyIdentifier,
  Message: blob(1, 4096),
  MessageType: z.enum(['RAW', 'DIGEST']).default('RAW'),
  SigningAlgorithm: z.enum([...rsaAlgorithms, ...foreignAlgorithms]),
})
const verifyRequest = signRequest.extend({ Signature: blob(1, 6144) })

/** RSASSA_PKCS1_V1_5_SHA_256 with 2048 bits: on messages (RAW) and on SHA-256 digests (DIGEST). */
export function signingOperations(store: KeyStore) {
  /** KMS signs with any algorithm of the key's spec. The emulator knows one, and refuses the others by name. */
  function usable(identifier: string, algorithm: string): Key {
    const key = store.find(identifier)
    assertUsable(key, 'SIGN_VERIFY')
    if (foreignAlgorithms.includes(algorithm)) {
      throw new KmsError('InvalidKeyUsageException', `Algorithm ${algorithm} is incompatible with ${key.keySpec}.`)
    }
    if (algorithm !== EMULATED_ALGORITHM) {
      throw new KmsError('UnsupportedOperationException', `${algorithm} is not emulated.`)
    }
    return key
  }

  function digestOf({ Message, MessageType, SigningAlgorithm }: z.output<typeof signRequest>): Buffer {
    if (MessageType === 'RAW') return createHash('sha256').update(Message).digest()
    if (Message.length === 32) return Message
    throw new KmsError('ValidationException', `Digest is invalid length for algorithm ${SigningAlgorithm}.`)
  }

  return {
    GetPublicKey: operation(z.object({ KeyId: keyIdentifier }), ({ KeyId }) => {
      const key = store.find(KeyId)
      if (key.keySpec === 'SYMMETRIC_DEFAULT') throw new KmsError('UnsupportedOperationException')
      assertUsable(key, 'SIGN_VERIFY')
      return {
        KeyId: key.arn,
        PublicKey: createPublicKey(store.rsaKey(key)).export({ type: 'spki', format: 'der' }).toString('base64'),
        KeySpec: key.keySpec,
        CustomerMasterKeySpec: key.keySpec,
        KeyUsage: key.keyUsage,
        SigningAlgorithms: signingAlgorithmsOf(key),
      }
    }),
    Sign: operation(signRequest, (input) => {
      const key = usable(input.KeyId, input.SigningAlgorithm)
      const signature = signDigest(store.rsaKey(key), digestOf(input))
      return { KeyId: key.arn, Signature: signature.toString('base64'), SigningAlgorithm: input.SigningAlgorithm }
    }),
    Verify: operation(verifyRequest, (input) => {
      const key = usable(input.KeyId, input.SigningAlgorithm)
      if (!verifyDigest(store.rsaKey(key), digestOf(input), input.Signature)) {
        throw new KmsError('KMSInvalidSignatureException')
      }
      return { KeyId: key.arn, SignatureValid: true, SigningAlgorithm: input.SigningAlgorithm }
    }),
  } as const satisfies Record<string, Operation>
}

/** All algorithms that KMS lists for a key, whether emulated or not. */
export function signingAlgorithmsOf({ keySpec }: Key): readonly string[] {
  return keySpec === 'SYMMETRIC_DEFAULT' ? [] : rsaAlgorithms
}
