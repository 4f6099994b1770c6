import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { type UserId, userIdSchema } from '../../core/ids.ts'
import { type EmailKey, emailKey } from '../../users/emailKey.ts'
import type { RenameOutcome, User, Users } from '../../users/ports.ts'
import { readCaller } from './caller.ts'
import { callStore } from './callStore.ts'
import { readItem } from './readItems.ts'
import { type TransactItem, transactWrite } from './transactWrite.ts'
import { userKey } from './userKey.ts'

/** A user as stored, without what keeps the account safe. */
export const userItem = z.object({
  id: userIdSchema,
  email: z.string(),
  username: z.string(),
  isActive: z.boolean(),
  isVerified: z.boolean(),
  isSuperuser: z.boolean(),
  createdAt: z.number().int(),
})

/** Nothing is stored under the key: the user is new, or the name or the email address free. */
const isFree = { ConditionExpression: 'attribute_not_exists(pk)' }

export function emailItemKey(email: EmailKey) {
  return { pk: `EMAIL#${email}`, sk: 'EMAIL' }
}

/** Holds an email address for one user; fails where it is held already. */
export function holdEmail(TableName: string, email: EmailKey, userId: UserId): TransactItem {
  return { Put: { TableName, Item: { ...emailItemKey(email), userId }, ...isFree } }
}

/** Holds a name for one user, without regard to case. */
function usernameKey(username: string) {
  return { pk: `USERNAME#${username.toLowerCase()}`, sk: 'USERNAME' }
}

/**
 * The items of a new user: fail where the id, the name or the email address is held, in this order.
 * @param passwordHash made by `Passwords`
 */
export function newUserItems(TableName: string, user: User, passwordHash: string | undefined): TransactItem[] {
  const Item = { ...userKey(user.id), ...userItem.parse(user), passwordHash, securityRev: 0 }
  return [
    { Put: { TableName, Item, ...isFree } },
    { Put: { TableName, Item: { ...usernameKey(user.username), userId: user.id }, ...isFree } },
    holdEmail(TableName, emailKey(user.email), user.id),
  ]
}

type Names = Parameters<Users['rename']>[1]

/** Users and the names and email addresses that they hold, in the table `accounts`. */
export function createUsers(client: DynamoDBDocumentClient, TableName: string): Users {
  /** Sets the name of a user while it is still `from`, and what else a caller has seen of the user unchanged. */
  function setName(userId: UserId, { from, to, unchanged }: Names) {
    const seen = Object.entries(unchanged ? userItem.parse(unchanged) : {})
    return {
      TableName,
      Key: userKey(userId),
      UpdateExpression: 'SET username = :to',
      ConditionExpression: ['username = :from', ...seen.map(([name]) => `${name} = :${name}`)].join(' AND '),
      ExpressionAttributeValues: {
        ':from': from,
        ':to': to,
        ...Object.fromEntries(seen.map(([name, value]) => [`:${name}`, value])),
      },
    }
  }

  /** The held name is the same without regard to case: only the user's item changes. */
  async function changeCase(userId: UserId, names: Names): Promise<RenameOutcome> {
    try {
      await callStore(() => client.send(new UpdateCommand(setName(userId, names))))
      return 'renamed'
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'conflict'
      throw error
    }
  }

  async function changeName(userId: UserId, names: Names): Promise<RenameOutcome> {
    const outcome = await transactWrite(client, [
      { Update: setName(userId, names) },
      { Put: { TableName, Item: { ...usernameKey(names.to), userId }, ...isFree } },
      { Delete: { TableName, Key: usernameKey(names.from) } },
    ])
    if (outcome === null) return 'renamed'
    const [user] = outcome
    return user?.failed ? 'conflict' : 'username_taken'
  }

  return {
    async find(userId) {
      const item = await readItem(client, TableName, userKey(userId))
      return item && userItem.parse(item)
    },

    async findCaller(caller) {
      return userItem.parse(await readCaller(client, TableName, caller))
    },

    rename(userId, names) {
      const sameName = names.from.toLowerCase() === names.to.toLowerCase()
      return sameName ? changeCase(userId, names) : changeName(userId, names)
    },

    async create(user, passwordHash) {
      const outcome = await transactWrite(client, newUserItems(TableName, user, passwordHash))
      if (outcome === null) return 'created'
      const [sameId, sameName] = outcome
      if (sameId?.failed) return 'already_exists'
      return sameName?.failed ? 'username_taken' : 'email_taken'
    },
  }
}
