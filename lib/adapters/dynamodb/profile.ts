import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { UserId } from '../../core/ids.ts'
import type { Profile, Profiles } from '../../organizations/ports.ts'
import { batchesOf } from './organizationBatches.ts'
import { readItems } from './readItems.ts'
import { userKey } from './userItem.ts'

/** DynamoDB reads up to 100 items in a batch. */
const USERS_IN_A_BATCH = 100

const profileItem = z.object({ username: z.string(), email: z.string() })

/** `Profiles` on DynamoDB, in the table `accounts`. */
export function createProfiles(client: DynamoDBDocumentClient, table: string): Profiles {
  async function readBatch(userIds: readonly UserId[]): Promise<(readonly [UserId, Profile])[]> {
    const item = await readItems(client, table, userIds.map(userKey))
    return userIds.flatMap((userId) => {
      const found = item(userKey(userId))
      return found ? [[userId, profileItem.parse(found)] as const] : []
    })
  }

  return {
    async find(userIds) {
      return new Map((await Promise.all(batchesOf(userIds, USERS_IN_A_BATCH).map(readBatch))).flat())
    },
  }
}
