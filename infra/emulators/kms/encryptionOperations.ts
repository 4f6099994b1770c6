import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { keyIdOf, openBlob, sealBlob } from './ciphertextBlob.ts'
import type { Key, KeyStore } from './keyStore.ts'
import { KmsError } from './kmsError.ts'
import { assertUsable, blob, encryptionContext, keyIdentifier, type Operation, operation } from './operation.ts'

const algorithm = z.enum(['SYMMETRIC_DEFAULT']).default('SYMMETRIC_DEFAULT')

const dataKeyRequest = z.object({
  KeyId: keyIdentifier,
  KeySpec: z.enum(['AES_256', 'AES_128']).optional(),
  NumberOfBytes: z.int().min(1).max(1024).optional(),
  EncryptionContext: encryptionContext,
})

/** Encrypt, Decrypt and data keys, with symmetric keys only. */
export function encryptionOperations(store: KeyStore) {
  function usable(identifier: string): Key {
    const key = store.find(identifier)
    assertUsable(key, 'ENCRYPT_DECRYPT')
    return key
  }

  /** The key that sealed a blob. One that names no key of ours is as invalid as a tampered one. */
  function sealingKey(ciphertext: Buffer): Key {
    const keyId = keyIdOf(ciphertext)
    const key = store.keys().find((candidate) => candidate.keyId === keyId)
    if (key === undefined) throw new KmsError('InvalidCiphertextException')
    return key
  }

  function dataKey(input: z.output<typeof dataKeyRequest>) {
    if ((input.KeySpec === undefined) === (input.NumberOfBytes === undefined)) {
      throw new KmsError('ValidationException', 'Please specify either number of bytes or key spec.')
    }
    const key = usable(input.KeyId)
    const plaintext = randomBytes(input.NumberOfBytes ?? (input.KeySpec === 'AES_128' ? 16 : 32))
    const sealed = sealBlob(store.encryptionKey(key), key.keyId, input.EncryptionContext, plaintext)
    return { plaintext, answer: { KeyId: key.arn, CiphertextBlob: sealed.toString('base64') } }
  }

  return {
    Encrypt: operation(
      z.object({
        KeyId: keyIdentifier,
        Plaintext: blob(1, 4096),
        EncryptionContext: encryptionContext,
        EncryptionAlgorithm: algorithm,
      }),
      (input) => {
        const key = usable(input.KeyId)
        const sealed = sealBlob(store.encryptionKey(key), key.keyId, input.EncryptionContext, input.Plaintext)
        const { EncryptionAlgorithm } = input
        return { CiphertextBlob: sealed.toString('base64'), KeyId: key.arn, EncryptionAlgorithm }
      },
    ),
    Decrypt: operation(
      z.object({
        CiphertextBlob: blob(1, 6144),
        KeyId: keyIdentifier.optional(),
        EncryptionContext: encryptionContext,
        EncryptionAlgorithm: algorithm,
      }),
      (input) => {
        const named = input.KeyId === undefined ? undefined : usable(input.KeyId)
        const key = sealingKey(input.CiphertextBlob)
        if (named !== undefined && named.keyId !== key.keyId) {
          const message = 'The key ID in the request does not identify a CMK that can perform this operation.'
          throw new KmsError('IncorrectKeyException', message)
        }
        assertUsable(key, 'ENCRYPT_DECRYPT')
        const plaintext = openBlob(store.encryptionKey(key), input.EncryptionContext, input.CiphertextBlob)
        const { EncryptionAlgorithm } = input
        return { Plaintext: plaintext.toString('base64'), KeyId: key.arn, EncryptionAlgorithm }
      },
    ),
    GenerateDataKey: operation(dataKeyRequest, (input) => {
      const { plaintext, answer } = dataKey(input)
      return { ...answer, Plaintext: plaintext.toString('base64') }
    }),
    GenerateDataKeyWithoutPlaintext: operation(dataKeyRequest, (input) => dataKey(input).answer),
  } as const satisfies Record<string, Operation>
}
