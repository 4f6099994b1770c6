import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { CommonError } from '../../core/errors.ts'
import type { UserId } from '../../core/ids.ts'
import { userKey } from './keys.ts'
import type { Key } from './kit/readItems.ts'
import type { TransactResult } from './kit/transactWrite.ts'

/** Every item of what a user proves an identity with has a sort key that begins so, in the user's partition of `accounts`. */
export const AUTHENTICATOR_PREFIX = 'AUTHENTICATOR#'
export const PASSKEY_PREFIX = `${AUTHENTICATOR_PREFIX}PASSKEY#`

/** The attributes of an authenticator that say how it was added. */
export const additionAttributes = {
  createdAt: z.int(),
  newUntil: z.optional(z.int()),
  addedFrom: z.optional(z.object({ browser: z.optional(z.string()), sourceIp: z.optional(z.string()) })),
}

type Single = 'TOTP' | 'TOTP_PENDING' | 'RECOVERY_CODES' | 'PASSKEY_COUNT' | 'RESET'

/** The key of an item that a user has once. */
export function authenticatorKey(userId: UserId, kind: Single): Key {
  return { pk: userKey(userId).pk, sk: AUTHENTICATOR_PREFIX + kind }
}

/** Credential ids are longer than a key may be: up to 1,023 bytes (WebAuthn §4). */
function credentialDigest(credentialId: string): string {
  return createHash('sha256').update(credentialId).digest('base64url')
}

/** The key of a passkey of a user. */
export function passkeyKey(userId: UserId, credentialId: string): Key {
  return { pk: userKey(userId).pk, sk: PASSKEY_PREFIX + credentialDigest(credentialId) }
}

/** Finds the user of a credential, and holds the credential for that user. */
export function credentialKey(credentialId: string): Key {
  return { pk: `CREDENTIAL#${credentialDigest(credentialId)}`, sk: 'CREDENTIAL' }
}

/**
 * Refuses a caller whose grant has ended, by the result of a transaction with the check `caller`.
 * @throws CommonError `invalid_token`
 */
export function requireCallerPassed<Name extends string>(result: TransactResult<Name | 'caller'>): void {
  if (result.kind === 'refused' && result.failed.has('caller'))
    throw new CommonError('invalid_token', { message: 'grant ended before the write' })
}
