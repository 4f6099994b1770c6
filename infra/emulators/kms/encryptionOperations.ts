import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import * as z from 'zod'
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

type EncryptionContext = Readonly<Record<string, string>>

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16

const header = (keyId: string): Buffer => {
  const id = Buffer.from(keyId)
  return Buffer.concat([Buffer.from([VERSION, id.length]), id])
}

/** Sorted by key, so that the order in which a caller names its context does not matter. */
function additionalData(keyId: string, context: EncryptionContext): Buffer {
  const pairs = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.concat([header(keyId), Buffer.from(JSON.stringify(pairs))])
}

/**
 * Encrypts with AES-256-GCM; the encryption context and the key id are authenticated, not stored secretly.
 * Layout: version (1 byte), length of key id (1 byte), key id, IV (12 bytes), tag (16 bytes), ciphertext.
 */
function sealBlob(key: Uint8Array, keyId: string, context: EncryptionContext, plaintext: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(additionalData(keyId, context))
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([header(keyId), iv, cipher.getAuthTag(), body])
}

/** The id of the key that sealed a blob. Throws InvalidCiphertextException when the bytes are no such blob. */
function keyIdOf(blob: Buffer): string {
  const length = blob[1] ?? 0
  if (blob[0] !== VERSION || blob.length < 2 + length + IV_BYTES + TAG_BYTES) {
    throw new KmsError('InvalidCiphertextException')
  }
  return blob.subarray(2, 2 + length).toString('utf8')
}

/** Decrypts what `sealBlob` made. Another context, another key or any changed byte: InvalidCiphertextException. */
function openBlob(key: Uint8Array, context: EncryptionContext, blob: Buffer): Buffer {
  const keyId = keyIdOf(blob)
  const start = header(keyId).length
  const tagStart = start + IV_BYTES
  const bodyStart = tagStart + TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(start, tagStart), { authTagLength: TAG_BYTES })
  decipher.setAAD(additionalData(keyId, context)).setAuthTag(blob.subarray(tagStart, bodyStart))
  try {
    return Buffer.concat([decipher.update(blob.subarray(bodyStart)), decipher.final()])
  } catch {
    throw new KmsError('InvalidCiphertextException')
  }
}
