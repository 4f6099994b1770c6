import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { Authenticators } from '../../authenticators/ports.ts'
import { AUTHENTICATOR_PREFIX, authenticatorKey, PASSKEY_PREFIX } from './authenticatorKeys.ts'
import { queryPartition } from './kit/readItems.ts'
import { passkeyItem } from './passkeyStore.ts'
import { recoveryCodesItem } from './recoveryCodeStore.ts'
import { totpItem } from './totpStore.ts'

/** All authenticators of a user, by one query of the user's partition in the table `accounts`. */
export function createAuthenticators(client: DynamoDBDocumentClient, TableName: string): Authenticators {
  return {
    async list(userId) {
      const { pk, sk: totpKey } = authenticatorKey(userId, 'TOTP')
      const items = await queryPartition(client, TableName, { pk, prefix: AUTHENTICATOR_PREFIX })
      const find = (key: string) => items.find(({ sk }) => sk === key)
      return {
        passkeys: items
          .filter(({ sk }) => String(sk).startsWith(PASSKEY_PREFIX))
          .map((item) => passkeyItem.parse(item))
          .toSorted((a, b) => a.createdAt - b.createdAt),
        totp: z.optional(totpItem).parse(find(totpKey)),
        recoveryCodes: z.optional(recoveryCodesItem).parse(find(authenticatorKey(userId, 'RECOVERY_CODES').sk)),
      }
    },
  }
}
