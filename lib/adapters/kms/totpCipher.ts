import type { TotpCipher } from '../../authenticators/ports.ts'
import { CommonError, reasonOf } from '../../core/errors.ts'
import type { UserId } from '../../core/ids.ts'
import { createContextCipher, type KmsKey } from './contextCipher.ts'

/** `TotpCipher` with a symmetric KMS key and the encryption context `{ user_id, purpose: 'totp' }`. */
export function createTotpCipher(key: KmsKey): TotpCipher {
  const { encrypt, decrypt } = createContextCipher(key, (userId: UserId) => ({ user_id: userId, purpose: 'totp' }))
  return {
    encrypt: (userId, secret) => orUnavailable(encrypt(userId, secret)),
    decrypt: (userId, cipher) => orUnavailable(decrypt(userId, cipher)),
  }
}

function orUnavailable(call: Promise<string>): Promise<string> {
  return call.catch((error: unknown) => {
    throw new CommonError('service_unavailable', { message: `KMS: ${reasonOf(error)}`, cause: error })
  })
}
