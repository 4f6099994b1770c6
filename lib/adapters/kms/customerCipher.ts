import { createContextCipher, type KmsKey } from './contextCipher.ts'

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
