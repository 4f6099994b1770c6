import { createHash } from 'node:crypto'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { FIRST_REVISION } from '../../core/grant.ts'
import { type UserId, userIdSchema } from '../../core/ids.ts'
import { languages } from '../../core/language.ts'
import type { Profile, Profiles } from '../../organizations/ports.ts'
import { type EmailKey, emailKey } from '../../users/emailKey.ts'
import type { RenameOutcome, User, Users } from '../../users/ports.ts'
import { registrationEnd } from '../../users/registration.ts'
import { readCaller } from './callerStore.ts'
import { userKey } from './keys.ts'
import { type Key, readItems, readParsed } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'

/** A user as stored, without what keeps the account safe. */
export const userItem = z.object({
  id: userIdSchema,
  email: z.string(),
  username: z.string(),
  isActive: z.boolean(),
  isVerified: z.boolean(),
  isSuperuser: z.boolean(),
  createdAt: z.int(),
})

/** Nothing is stored under the key. */
const isFree = { ConditionExpression: 'attribute_not_exists(pk)' }

export function emailItemKey(email: EmailKey) {
  return { pk: `EMAIL#${email}`, sk: 'EMAIL' }
}

/** DynamoDB may delete a registration a day after its end, never while it is being verified. */
const DELETED_AFTER_SECONDS = 24 * 60 * 60

/** The attributes that only a registration's items have. */
function ending(validUntil: number) {
  return { validUntil, expiresAt: Math.ceil(validUntil / 1000) + DELETED_AFTER_SECONDS }
}

/** Holds an email address for a user; fails if an account holds it. A registration gives way, because it proved nothing. */
export function holdEmail(TableName: string, email: EmailKey, userId: UserId, validUntil?: number): TransactItem {
  const Item = { ...emailItemKey(email), userId, ...(validUntil !== undefined && ending(validUntil)) }
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(validUntil)' } }
}

/** Holds a name for a user, without regard to case. */
export function usernameKey(username: string) {
  return { pk: `USERNAME#${username.toLowerCase()}`, sk: 'USERNAME' }
}

/** The digest of the address that a name is reserved for. */
function addressDigest(email: string): string {
  return createHash('sha256').update(emailKey(email)).digest('base64url')
}

/** Holds a name from `createdAt` on. Fails if it is held, except by a registration that has ended or has the same address. */
export function holdName(
  TableName: string,
  { username, email, createdAt }: Pick<User, 'username' | 'email' | 'createdAt'>,
  holder: Record<string, unknown>,
): TransactItem {
  return {
    Put: {
      TableName,
      Item: { ...usernameKey(username), ...holder },
      ConditionExpression: 'attribute_not_exists(pk) OR validUntil <= :now OR heldFor = :address',
      ExpressionAttributeValues: { ':now': createdAt, ':address': addressDigest(email) },
    },
  }
}

/**
 * The items of a new user. Each fails if the id, the name or the email address is held already.
 * @param passwordHash made by `Passwords`
 */
export function newUserItems(TableName: string, user: User, passwordHash: string | undefined) {
  const validUntil = user.isVerified ? undefined : registrationEnd(user)
  const end = validUntil === undefined ? undefined : ending(validUntil)
  const Item = { ...userKey(user.id), ...userItem.parse(user), passwordHash, securityRev: FIRST_REVISION }
  const reserved = end && { ...end, heldFor: addressDigest(user.email) }
  return {
    user: { Put: { TableName, Item: { ...Item, ...(end && { expiresAt: end.expiresAt }) }, ...isFree } },
    username: holdName(TableName, user, { userId: user.id, ...reserved }),
    email: holdEmail(TableName, emailKey(user.email), user.id, validUntil),
  }
}

/** Makes the name and the email address of a registration permanent; fails if the registration gave way to another. */
export function keepNames(TableName: string, user: User): TransactItem[] {
  return [emailItemKey(emailKey(user.email)), usernameKey(user.username)].map((key) =>
    keepName(TableName, key, user.id),
  )
}

/** Makes a name or an email address of a registration permanent. */
export function keepName(TableName: string, Key: Key, userId: UserId): TransactItem {
  return {
    Update: {
      TableName,
      Key,
      UpdateExpression: 'REMOVE validUntil, expiresAt, heldFor',
      ConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
    },
  }
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
    const result = await updateItem(client, setName(userId, names))
    return result.kind === 'written' ? 'renamed' : 'conflict'
  }

  async function changeName(userId: UserId, names: Names): Promise<RenameOutcome> {
    const result = await transactWrite(client, {
      user: { Update: setName(userId, names) },
      username: {
        Put: {
          TableName,
          Item: { ...usernameKey(names.to), userId },
          ConditionExpression: 'attribute_not_exists(pk) OR validUntil <= :now',
          ExpressionAttributeValues: { ':now': names.now },
        },
      },
      formerName: { Delete: { TableName, Key: usernameKey(names.from) } },
    })
    if (result.kind === 'written') return 'renamed'
    return result.failed.has('user') ? 'conflict' : 'username_taken'
  }

  return {
    find: (userId) => readParsed(client, TableName, userKey(userId), userItem),

    async findCaller(caller) {
      return userItem.parse(await readCaller(client, TableName, caller))
    },

    rename(userId, names) {
      const sameName = names.from.toLowerCase() === names.to.toLowerCase()
      return sameName ? changeCase(userId, names) : changeName(userId, names)
    },

    async create(user, passwordHash) {
      const result = await transactWrite(client, newUserItems(TableName, user, passwordHash))
      if (result.kind === 'written') return 'created'
      if (result.failed.has('user')) return 'already_exists'
      return result.failed.has('username') ? 'username_taken' : 'email_taken'
    },

    async reserveName(user, account) {
      const until = ending(registrationEnd(user))
      const result = await transactWrite(client, {
        username: holdName(TableName, user, { ...until, heldFor: addressDigest(user.email) }),
        email: {
          ConditionCheck: {
            TableName,
            Key: emailItemKey(emailKey(account.email)),
            ConditionExpression: 'userId = :userId AND attribute_not_exists(validUntil)',
            ExpressionAttributeValues: { ':userId': account.id },
          },
        },
        // As much work as a registration.
        user: { ConditionCheck: { TableName, Key: userKey(account.id), ConditionExpression: 'attribute_exists(pk)' } },
      })
      if (result.kind === 'written') return 'reserved'
      return result.failed.has('username') ? 'username_taken' : 'conflict'
    },
  }
}

const profileItem = z.pipe(
  z.object({
    username: z.string(),
    email: z.string(),
    hasSecondFactor: z.optional(z.boolean()),
    mailLanguage: z.optional(z.enum(languages)),
  }),
  z.transform(({ mailLanguage: language, ...profile }): Profile => ({ ...profile, ...(language && { language }) })),
)

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
