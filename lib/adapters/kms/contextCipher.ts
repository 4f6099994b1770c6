import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms'

/** A KMS client and the id of a key. */
export interface KmsKey {
  readonly client: KMSClient
  readonly keyId: string
}

/**
 * Encrypts texts with a symmetric KMS key, each bound to a subject by the encryption context: a ciphertext copied to another subject's record, or to
 * another attribute, does not decrypt. Errors of the SDK pass through unchanged.
 */
export function createContextCipher<Subject extends string>(
  { client, keyId }: KmsKey,
  contextOf: (subject: Subject) => Record<string, string>,
) {
  return {
    /** The ciphertext, as base64. */
    async encrypt(subject: Subject, text: string): Promise<string> {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: Buffer.from(text),
          EncryptionContext: contextOf(subject),
        }),
      )
      if (CiphertextBlob === undefined) throw new Error('KMS answered Encrypt without a ciphertext')
      return Buffer.from(CiphertextBlob).toString('base64')
    },

    /** The text. Throws InvalidCiphertextException for a ciphertext of another subject or a changed one. */
    async decrypt(subject: Subject, cipher: string): Promise<string> {
      const { Plaintext } = await client.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: Buffer.from(cipher, 'base64'),
          EncryptionContext: contextOf(subject),
        }),
      )
      if (Plaintext === undefined) throw new Error('KMS answered Decrypt without a plaintext')
      return Buffer.from(Plaintext).toString('utf8')
    },
  }
}
