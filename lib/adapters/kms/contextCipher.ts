import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms'
import type { TotpCipher } from '../../authenticators/ports.ts'
import { CommonError, reasonOf } from '../../core/errors.ts'
import type { UserId } from '../../core/ids.ts'
import type { EndpointOwner, WebhookSecretCipher } from '../../events/ports.ts'
import type { ProviderOwner, ProviderSecretCipher } from '../../signIn/provider/ports.ts'

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

/** `TotpCipher` with a symmetric KMS key and the encryption context `{ user_id, purpose: 'totp' }`. */
export function createTotpCipher(key: KmsKey): TotpCipher {
  return createSecretCipher(key, (userId: UserId) => ({ user_id: userId, purpose: 'totp' }))
}

/** `WebhookSecretCipher` with a symmetric KMS key and the encryption context `{ owner, purpose: 'webhook_secret' }`. */
export function createWebhookSecretCipher(key: KmsKey): WebhookSecretCipher {
  return createSecretCipher(key, (owner: EndpointOwner) => ({ owner, purpose: 'webhook_secret' }))
}

/** `ProviderSecretCipher` with a symmetric KMS key and the encryption context `{ owner, purpose: 'provider_secret' }`. */
export function createProviderSecretCipher(key: KmsKey): ProviderSecretCipher {
  return createSecretCipher(key, (owner: ProviderOwner) => ({ owner, purpose: 'provider_secret' }))
}

/** A cipher whose failures are CommonError `service_unavailable`. */
function createSecretCipher<Subject extends string>(
  key: KmsKey,
  contextOf: (subject: Subject) => Record<string, string>,
) {
  const { encrypt, decrypt } = createContextCipher(key, contextOf)
  return {
    encrypt: (subject: Subject, secret: string) => orUnavailable(encrypt(subject, secret)),
    decrypt: (subject: Subject, cipher: string) => orUnavailable(decrypt(subject, cipher)),
  }
}

function orUnavailable(call: Promise<string>): Promise<string> {
  return call.catch((error: unknown) => {
    throw new CommonError('service_unavailable', { message: `KMS: ${reasonOf(error)}`, cause: error })
  })
}

/**
 * Encrypts an organization's gateway customer id, with a symmetric KMS key and the encryption context
 * `{ organization_id, attribute: 'stripe_customer_id' }`. Errors of the SDK pass through unchanged.
 */
export function createCustomerCipher(key: KmsKey) {
  return createContextCipher(key, (organizationId: string) => ({
    organization_id: organizationId,
    attribute: 'stripe_customer_id',
  }))
}
