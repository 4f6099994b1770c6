import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { UserId } from '../../core/ids.ts'
import { emailKey } from '../../users/emailKey.ts'
import type { RenameOutcome, Users } from '../../users/ports.ts'
import { callStore } from './callStore.ts'
import { transactWrite } from './transactWrite.ts'
import { holdEmail, isFree, userItem, userKey } from './userItem.ts'

export { userKey } from './userItem.ts'

/** Holds a name for one user, without regard to case. */
function usernameKey(username: string) {
  return { pk: `USERNAME#${username.toLowerCase()}`, sk: 'USERNAME' }
}

/** Users and the names and addresses they hold, in the table `accounts`. */
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

    async create(user, passwordHash) {
      const Item = { ...userKey(user.id), ...userItem.parse(user), passwordHash, securityRev: 0 }
      const outcome = await transactWrite(client, [
        { Put: { TableName, Item, ...isFree } },
        { Put: { TableName, Item: { ...usernameKey(user.username), userId: user.id }, ...isFree } },
        holdEmail(TableName, emailKey(user.email), user.id),
      ])
      if (outcome === null) return 'created'
      const [sameId, sameName] = outcome
      if (sameId?.failed) return 'already_exists'
      return sameName?.failed ? 'username_taken' : 'email_taken'
    },
  }
}
