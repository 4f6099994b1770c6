import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms'

/** A ciphertext copied to another organization's record, or to another attribute, does not decrypt. */
const contextOf = (organizationId: string) => ({ organization_id: organizationId, attribute: 'stripe_customer_id' })

/**
 * Encrypts an organization's gateway customer id, with a symmetric KMS key and the encryption context
 * `{ organization_id, attribute: 'stripe_customer_id' }`. Errors of the SDK pass through unchanged.
 */
export function createCustomerCipher({ client, keyId }: { client: KMSClient; keyId: string }) {
  return {
    /** The ciphertext, as base64. */
    async encrypt(organizationId: string, customerId: string): Promise<string> {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: Buffer.from(customerId),
          EncryptionContext: contextOf(organizationId),
        }),
      )
      if (CiphertextBlob === undefined) throw new Error('KMS answered Encrypt without a ciphertext')
      return Buffer.from(CiphertextBlob).toString('base64')
    },

    /** The customer id. Throws InvalidCiphertextException for a ciphertext of another organization or a changed one. */
    async decrypt(organizationId: string, cipher: string): Promise<string> {
      const { Plaintext } = await client.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: Buffer.from(cipher, 'base64'),
          EncryptionContext: contextOf(organizationId),
        }),
      )
      if (Plaintext === undefined) throw new Error('KMS answered Decrypt without a plaintext')
      return Buffer.from(Plaintext).toString('utf8')
    },
  }
}
