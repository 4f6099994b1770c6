import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { Arrival } from '../../core/authentication.ts'
import { userIdSchema } from '../../core/ids.ts'
import type { Session, UserSessions } from '../../oauth/ports.ts'
import { type Item, type Key, queryPartition } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { putItem } from './kit/writeItem.ts'

/** Longer than anything lives that a client gets in a browser's session. */
const SIGN_ON_KEPT_SECONDS = 31 * 24 * 60 * 60

/** A session at the provider of a company, with an item for each user who came by it. */
function signOnPartition(ssoSession: string): string {
  return `SIGN_ON#${ssoSession}`
}

const signOnItem = z.object({ userId: userIdSchema })

/** What a browser's session and a grant say of sessions at providers. */
const signedOnItem = z.object({
  ssoSession: z.exactOptional(z.string()),
  ssoSessions: z.exactOptional(z.set(z.string())),
})

/** The keys under which sessions at providers lead to a user, in an item of that user's partition; none if it is of another kind. */
export function signOnKeysIn(item: Item): Key[] {
  if (!String(item.sk).startsWith('SESSION#')) return []
  const { ssoSession, ssoSessions = [] } = signedOnItem.parse(item)
  const all = [...ssoSessions, ...(ssoSession === undefined ? [] : [ssoSession])]
  return all.map((one) => ({ pk: signOnPartition(one), sk: String(item.pk) }))
}

/** Leads from the session at the provider of a company to its user, in the transaction that starts a browser's session. */
export function listSignOn(
  TableName: string,
  { userId, authentication: { ssoSession }, validUntil }: Session,
): TransactItem | undefined {
  if (ssoSession === undefined) return undefined
  const expiresAt = Math.ceil(validUntil / 1000) + SIGN_ON_KEPT_SECONDS
  return { Put: { TableName, Item: { pk: signOnPartition(ssoSession), sk: `USER#${userId}`, userId, expiresAt } } }
}

/** Longer than an arrival waits for a session. */
const LOGOUT_KEPT_SECONDS = 60 * 60

function logoutKey(name: string): Key {
  return { pk: `SIGN_ON_LOGOUT#${name}`, sk: 'SIGN_ON_LOGOUT' }
}

/** Passes only while no logout has ended the arrival. */
export function checkArrival(TableName: string, { at, logouts }: Arrival): TransactItem[] {
  const ConditionExpression = 'attribute_not_exists(pk) OR endedAt <= :at'
  const ExpressionAttributeValues = { ':at': at }
  return logouts.map((name) => ({
    ConditionCheck: { TableName, Key: logoutKey(name), ConditionExpression, ExpressionAttributeValues },
  }))
}

/** The part of `UserSessions` that is about sessions at the providers of companies, in the table `accounts`. */
export function createProviderSessions(
  client: DynamoDBDocumentClient,
  TableName: string,
): Pick<UserSessions, 'usersBy' | 'noteLogouts'> {
  return {
    async usersBy(ssoSession) {
      const items = await queryPartition(client, TableName, { pk: signOnPartition(ssoSession) })
      return items.map((item) => signOnItem.parse(item).userId)
    },

    async noteLogouts(names, endedAt) {
      const expiresAt = Math.ceil(endedAt / 1000) + LOGOUT_KEPT_SECONDS
      for (const name of names) await putItem(client, TableName, { ...logoutKey(name), endedAt, expiresAt })
    },
  }
}
