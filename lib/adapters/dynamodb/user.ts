import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { type UserId, userIdSchema } from '../../core/ids.ts'
import type { RenameOutcome, User, Users } from '../../users/ports.ts'
import { callStore } from './callStore.ts'
import { transactWrite } from './transactWrite.ts'

function userKey(userId: UserId) {
  return { pk: `USER#${userId}`, sk: 'USER' }
}

/** Holds a name for one user, without regard to case. */
function usernameKey(username: string) {
  return { pk: `USERNAME#${username.toLowerCase()}`, sk: 'USERNAME' }
}

const userItem = z.object({
  id: userIdSchema,
  email: z.string(),
  username: z.string(),
  isActive: z.boolean(),
  isVerified: z.boolean(),
  isSuperuser: z.boolean(),
  createdAt: z.number().int(),
})

/** Nothing stands under the key: the user is new, or the name free. */
const isFree = { ConditionExpression: 'attribute_not_exists(pk)' }

/** Users and the names they hold, in the table `accounts`. */
export function createUsers(client: DynamoDBDocumentClient, TableName: string): Users {
  /** Sets the name of a user who is still called `from`. */
  function setName(userId: UserId, { from, to }: { from: string; to: string }) {
    return {
      TableName,
      Key: userKey(userId),
      UpdateExpression: 'SET username = :to',
      ConditionExpression: 'username = :from',
      ExpressionAttributeValues: { ':from': from, ':to': to },
    }
  }

  /** The name that is held stays the same: there is nothing to take or to give back. */
  async function changeCase(userId: UserId, names: { from: string; to: string }): Promise<RenameOutcome> {
    try {
      await callStore(() => client.send(new UpdateCommand(setName(userId, names))))
      return 'renamed'
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'changed_meanwhile'
      throw error
    }
  }

  async function changeName(userId: UserId, names: { from: string; to: string }): Promise<RenameOutcome> {
    const outcome = await transactWrite(client, [
      { Update: setName(userId, names) },
      { Put: { TableName, Item: { ...usernameKey(names.to), userId }, ...isFree } },
      { Delete: { TableName, Key: usernameKey(names.from) } },
    ])
    if (outcome === null) return 'renamed'
    const [user] = outcome
    return user?.failed ? 'changed_meanwhile' : 'username_taken'
  }

  return {
    async find(userId) {
      const { Item } = await callStore(() =>
        client.send(new GetCommand({ TableName, Key: userKey(userId), ConsistentRead: true })),
      )
      return Item && userItem.parse(Item)
    },

    rename(userId, names) {
      const sameName = names.from.toLowerCase() === names.to.toLowerCase()
      return sameName ? changeCase(userId, names) : changeName(userId, names)
    },

    async create(user: User) {
      const outcome = await transactWrite(client, [
        { Put: { TableName, Item: { ...userKey(user.id), ...userItem.parse(user) }, ...isFree } },
        { Put: { TableName, Item: { ...usernameKey(user.username), userId: user.id }, ...isFree } },
      ])
      if (outcome === null) return 'created'
      const [sameId] = outcome
      return sameId?.failed ? 'already_exists' : 'username_taken'
    },
  }
}
