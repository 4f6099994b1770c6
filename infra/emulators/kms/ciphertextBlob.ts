import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { KmsError } from './kmsError.ts'

export type EncryptionContext = Readonly<Record<string, string>>

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
export function sealBlob(key: Uint8Array, keyId: string, context: EncryptionContext, plaintext: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(additionalData(keyId, context))
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([header(keyId), iv, cipher.getAuthTag(), body])
}

/** The id of the key that sealed a blob. Throws InvalidCiphertextException when the bytes are no such blob. */
export function keyIdOf(blob: Buffer): string {
  const length = blob[1] ?? 0
  if (blob[0] !== VERSION || blob.length < 2 + length + IV_BYTES + TAG_BYTES) {
    throw new KmsError('InvalidCiphertextException')
  }
  return blob.subarray(2, 2 + length).toString('utf8')
}

/** Decrypts what `sealBlob` made. Another context, another key or any changed byte: InvalidCiphertextException. */
export function openBlob(key: Uint8Array, context: EncryptionContext, blob: Buffer): Buffer {
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
