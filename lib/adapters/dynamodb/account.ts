import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { type UserId, userIdSchema } from '../../core/ids.ts'
import { emailKey } from '../../users/emailKey.ts'
import type { Account, Accounts, LinkOutcome, LinkUse, NewPassword } from '../../users/ports.ts'
import { useUp } from './accountLink.ts'
import { callStore } from './callStore.ts'
import type { TransactItem } from './slot.ts'
import { transactWrite } from './transactWrite.ts'
import { emailItemKey, holdEmail, userItem, userKey } from './userItem.ts'

const accountItem = userItem.extend({
  passwordHash: z.string().optional(),
  securityRev: z.number().int().default(0),
  signedOutAt: z.number().int().default(0),
  keptFamily: z.string().optional(),
})

const emailItem = z.object({ userId: userIdSchema })

/** Where an address leads that nobody has. */
const nobodysKey = { pk: 'USER#', sk: 'USER' }

function toAccount(item: Record<string, unknown>): Account {
  const { passwordHash, securityRev, signedOutAt, keptFamily, ...user } = accountItem.parse(item)
  return { user, passwordHash, securityRev, signedOutAt, keptFamily }
}

/** Passes while the password and the address are the ones of this revision, and the user is not switched off. */
function atRevision(securityRev: number) {
  // Users from before there were revisions have none.
  const isAt = securityRev === 0 ? '(attribute_not_exists(securityRev) OR securityRev = :rev)' : 'securityRev = :rev'
  return {
    ConditionExpression: `isActive = :true AND ${isAt}`,
    ExpressionAttributeValues: { ':true': true, ':rev': securityRev },
  }
}

/** What a user has set, at this revision. */
interface AccountUpdate {
  userId: UserId
  securityRev: number
  set: Readonly<Record<string, unknown>>
  remove?: string
}

/** Accounts by id and by e-mail address, in the table `accounts`. */
export function createAccounts(client: DynamoDBDocumentClient, TableName: string): Accounts {
  async function read(Key: { pk: string; sk: string }) {
    const { Item } = await callStore(() => client.send(new GetCommand({ TableName, Key, ConsistentRead: true })))
    return Item
  }

  function update({ userId, securityRev, set, remove }: AccountUpdate): TransactItem {
    const { ConditionExpression, ExpressionAttributeValues } = atRevision(securityRev)
    const names = Object.keys(set)
    const values = Object.fromEntries(names.map((name) => [`:${name}`, set[name]]))
    return {
      Update: {
        TableName,
        Key: userKey(userId),
        UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}${remove ? ` REMOVE ${remove}` : ''}`,
        ConditionExpression,
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ...values },
      },
    }
  }

  function newPassword(userId: UserId, securityRev: number, to: NewPassword, isVerified?: true): AccountUpdate {
    const { passwordHash, signedOutAt, keptFamily } = to
    const set = { passwordHash, signedOutAt, securityRev: securityRev + 1, ...(isVerified && { isVerified }) }
    return keptFamily === undefined
      ? { userId, securityRev, set, remove: 'keptFamily' }
      : { userId, securityRev, set: { ...set, keptFamily } }
  }

  /** The link's use and its effect, or neither. */
  async function withLink(use: LinkUse, effect: Pick<AccountUpdate, 'set' | 'remove'>): Promise<LinkOutcome> {
    const { userId, securityRev } = use.link
    const outcome = await transactWrite(client, [useUp(TableName, use), update({ userId, securityRev, ...effect })])
    return outcome === null ? 'done' : 'link_invalid'
  }

  return {
    async find(userId) {
      const item = await read(userKey(userId))
      return item && toAccount(item)
    },

    async findByEmail(key) {
      const holder = emailItem.optional().parse(await read(emailItemKey(key)))
      const item = await read(holder === undefined ? nobodysKey : userKey(holder.userId))
      const account = item && toAccount(item)
      return account && emailKey(account.user.email) === key ? account : undefined
    },

    async rehash(userId, { from, to }) {
      await transactWrite(client, [
        {
          Update: {
            TableName,
            Key: userKey(userId),
            UpdateExpression: 'SET passwordHash = :to',
            ConditionExpression: 'passwordHash = :from',
            ExpressionAttributeValues: { ':from': from, ':to': to },
          },
        },
      ])
    },

    async changePassword({ user, securityRev }, to) {
      const outcome = await transactWrite(client, [update(newPassword(user.id, securityRev, to))])
      return outcome === null ? 'changed' : 'changed_meanwhile'
    },

    verifyEmail: (use) => withLink(use, { set: { isVerified: true } }),

    resetPassword: (use, to) => withLink(use, newPassword(use.link.userId, use.link.securityRev, to, true)),

    async changeEmail(use, from) {
      const { userId, email, securityRev } = use.link
      const [oldKey, newKey] = [emailKey(from.email), emailKey(email)]
      const set = { email, isVerified: true, securityRev: securityRev + 1 }
      const outcome = await transactWrite(client, [
        useUp(TableName, use),
        update({ userId, securityRev, set }),
        ...(oldKey === newKey
          ? []
          : [
              holdEmail(TableName, newKey, userId),
              { Delete: { TableName, Key: emailItemKey(oldKey) } } satisfies TransactItem,
            ]),
      ])
      if (outcome === null) return 'done'
      const [link, account] = outcome
      return link?.failed || account?.failed ? 'link_invalid' : 'email_taken'
    },
  }
}
