import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { UserId } from '../../core/ids.ts'
import type { Profile, Profiles } from '../../organizations/ports.ts'
import { userKey } from './keys.ts'
import { readItems } from './kit/readItems.ts'

const profileItem = z.object({ username: z.string(), email: z.string() })

/** `Profiles` on DynamoDB, in the table `accounts`. */
export function createProfiles(client: DynamoDBDocumentClient, table: string): Profiles {
  return {
    async find(userIds) {
      const item = await readItems(client, table, userIds.map(userKey))
      return new Map(
        userIds.flatMap((userId): [UserId, Profile][] => {
          const found = item(userKey(userId))
          return found ? [[userId, profileItem.parse(found)]] : []
        }),
      )
    },
  }
}
