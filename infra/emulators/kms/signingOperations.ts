import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import * as z from 'zod'
import * as ecdsa from './ecdsaP256.ts'
import type { Key, KeyStore } from './keyStore.ts'
import { KmsError } from './kmsError.ts'
import { assertUsable, blob, keyIdentifier, type Operation, operation } from './operation.ts'
import * as rsa from './rsa2048.ts'
import { signingAlgorithms } from './signingAlgorithms.ts'

const SIGNING_ALGORITHMS = [...signingAlgorithms.RSA_2048, ...[256, 384, 512].map((bits) => `ECDSA_SHA_${bits}`)]

const signRequest = z.object({
  KeyId: keyIdentifier,
  Message: blob(1, 4096),
  MessageType: z.enum(['RAW', 'DIGEST']).default('RAW'),
  SigningAlgorithm: z.enum(SIGNING_ALGORITHMS),
})
const verifyRequest = signRequest.extend({ Signature: blob(1, 6144) })

/** One key's own scheme, over SHA-256 digests. */
interface Scheme {
  readonly publicKey: KeyObject
  sign(digest: Uint8Array): Buffer
  verify(digest: Uint8Array, signature: Buffer): boolean
}

/**
 * ECDSA_SHA_256 over P-256, whose signatures are DER, and RSASSA_PKCS1_V1_5_SHA_256 with 2048 bits: on messages (RAW) and on SHA-256
 * digests (DIGEST).
 */
export function signingOperations(store: KeyStore) {
  function schemeOf(key: Key): Scheme {
    if (key.keySpec === 'RSA_2048') {
      const rsaKey = store.rsaKey(key)
      return {
        publicKey: createPublicKey(rsaKey),
        sign: (digest) => rsa.signDigest(rsaKey, digest),
        verify: (digest, signature) => rsa.verifyDigest(rsaKey, digest, signature),
      }
    }
    const scalar = store.signingScalar(key)
    return {
      publicKey: ecdsa.toPublicKey(scalar),
      sign: (digest) => ecdsa.signDigest(scalar, digest),
      verify: (digest, signature) => ecdsa.verifyDigest(scalar, digest, signature),
    }
  }

  /** KMS signs with any algorithm of the key's spec; the emulator knows one of each, and says so. */
  function usable(identifier: string, algorithm: string): Key {
    const key = store.find(identifier)
    assertUsable(key, 'SIGN_VERIFY')
    const [first, ...others]: readonly string[] = algorithmsOf(key)
    if (others.includes(algorithm)) throw new KmsError('UnsupportedOperationException', `${algorithm} is not emulated.`)
    if (algorithm !== first) {
      throw new KmsError('InvalidKeyUsageException', `Algorithm ${algorithm} is incompatible with ${key.keySpec}.`)
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
        PublicKey: schemeOf(key).publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
        KeySpec: key.keySpec,
        CustomerMasterKeySpec: key.keySpec,
        KeyUsage: key.keyUsage,
        SigningAlgorithms: algorithmsOf(key),
      }
    }),
    Sign: operation(signRequest, (input) => {
      const key = usable(input.KeyId, input.SigningAlgorithm)
      const signature = schemeOf(key).sign(digestOf(input))
      return { KeyId: key.arn, Signature: signature.toString('base64'), SigningAlgorithm: input.SigningAlgorithm }
    }),
    Verify: operation(verifyRequest, (input) => {
      const key = usable(input.KeyId, input.SigningAlgorithm)
      if (!schemeOf(key).verify(digestOf(input), input.Signature)) throw new KmsError('KMSInvalidSignatureException')
      return { KeyId: key.arn, SignatureValid: true, SigningAlgorithm: input.SigningAlgorithm }
    }),
  } as const satisfies Record<string, Operation>
}

function algorithmsOf({ keySpec }: Key) {
  return keySpec === 'SYMMETRIC_DEFAULT' ? [] : signingAlgorithms[keySpec]
}
