import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { organizationIdSchema, type UserId, userIdSchema } from '../../core/ids.ts'
import type { ClientGrants, ListedGrant, Session, UserSessions } from '../../oauth/ports.ts'
import { type SecretDigest, secretDigestSchema } from '../../oauth/secretDigest.ts'
import { readWithGrantState } from './callerStore.ts'
import { revocationKey } from './keys.ts'
import { type Item, type Key, queryPartition, scanItems } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'
import { createProviderSessions } from './providerSessionStore.ts'

/** A browser's session outlives its cookie for as long as a code that was issued in it may be exchanged, and longer. */
const KEPT_SECONDS = 60 * 60

/** A browser's session among the items of its user. Its id and a family's have no `#`. */
function browserKey(userId: UserId, sessionId: string): Key {
  return { pk: `USER#${userId}`, sk: `SESSION#${sessionId}` }
}

function grantKey({ userId, sessionId, familyId }: Pick<ListedGrant, 'userId' | 'sessionId' | 'familyId'>): Key {
  const { pk, sk } = browserKey(userId, sessionId)
  return { pk, sk: `${sk}#${familyId}` }
}

const browserItem = z.object({
  id: z.string(),
  securityRev: z.int(),
  createdAt: z.int(),
  lastUsedAt: z.int(),
  validUntil: z.int(),
  browser: z.exactOptional(z.string()),
  sso: z.exactOptional(organizationIdSchema),
  ssoSessions: z.exactOptional(z.set(z.string())),
  endedAt: z.exactOptional(z.int()),
  cookies: z._default(z.set(secretDigestSchema), new Set()),
})

const grantItem = z.object({
  userId: userIdSchema,
  sessionId: z.string(),
  familyId: z.string(),
  clientId: z.string(),
  securityRev: z.int(),
  createdAt: z.int(),
  lastUsedAt: z.int(),
  endsAt: z.int(),
  browser: z.exactOptional(z.string()),
  idleSeconds: z.exactOptional(z.int()),
  sso: z.exactOptional(organizationIdSchema),
  ssoSession: z.exactOptional(z.string()),
})

/** The digests of the cookies of a browser's session among the items of its user; none of an item of another kind. */
export function cookiesIn(item: Item): SecretDigest[] {
  const isBrowser = String(item.sk).startsWith('SESSION#') && item.familyId === undefined
  return isBrowser ? [...browserItem.parse(item).cookies] : []
}

/** An update that sets these attributes, except if undefined. */
function setting(attributes: Readonly<Record<string, unknown>>) {
  const present = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return {
    set: present.map(([name]) => `#${name} = :${name}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(present.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(present.map(([name, value]) => [`:${name}`, value])),
  }
}

/** Lists a browser's session with another cookie, in the transaction that starts it. Fails if it joins a session that has ended. */
export function listBrowser(
  TableName: string,
  digest: SecretDigest,
  { id, userId, securityRev, authentication, validUntil, browser }: Session,
  joins: boolean,
): TransactItem {
  const expiresAt = Math.ceil(validUntil / 1000) + KEPT_SECONDS
  const { at: lastUsedAt, sso, ssoSession } = authentication
  const { set, ...names } = setting({ id, securityRev, lastUsedAt, validUntil, browser, sso, expiresAt })
  return {
    Update: {
      TableName,
      Key: browserKey(userId, id),
      UpdateExpression: `SET ${set}, createdAt = if_not_exists(createdAt, :lastUsedAt) ADD cookies :cookie${ssoSession === undefined ? '' : ', ssoSessions :ssoSession'}`,
      ConditionExpression: joins
        ? 'attribute_exists(pk) AND attribute_not_exists(endedAt)'
        : 'attribute_not_exists(pk)',
      ...names,
      ExpressionAttributeValues: {
        ...names.ExpressionAttributeValues,
        ':cookie': new Set([digest]),
        ...(ssoSession !== undefined && { ':ssoSession': new Set([ssoSession]) }),
      },
    },
  }
}

/** Passes only while a browser's session has not ended. */
export function checkBrowser(TableName: string, of: { userId: UserId; sessionId: string }): TransactItem {
  const ConditionExpression = 'attribute_exists(pk) AND attribute_not_exists(endedAt)'
  return { ConditionCheck: { TableName, Key: browserKey(of.userId, of.sessionId), ConditionExpression } }
}

/** Lists a family, or notes that it was used, in the transaction that issues its tokens. */
export function listGrant(TableName: string, grant: ListedGrant): TransactItem {
  const { set, ...names } = setting({ ...grant, expiresAt: Math.ceil(grant.endsAt / 1000) })
  const UpdateExpression = `SET ${set}, createdAt = if_not_exists(createdAt, :lastUsedAt)`
  return { Update: { TableName, Key: grantKey(grant), UpdateExpression, ...names } }
}

/** A browser's session, for an update that returns its new state, and is refused if there is no such session. */
function listedBrowser(TableName: string, userId: UserId, sessionId: string) {
  const condition = { ConditionExpression: 'attribute_exists(pk)', ReturnValues: 'ALL_NEW' } as const
  return { TableName, Key: browserKey(userId, sessionId), ...condition }
}

/** Takes a cookie from its browser's session. Safe to repeat. */
export async function unlistCookie(
  client: DynamoDBDocumentClient,
  TableName: string,
  digest: SecretDigest,
  { userId, id }: Pick<Session, 'userId' | 'id'>,
): Promise<void> {
  await updateItem(client, {
    ...listedBrowser(TableName, userId, id),
    UpdateExpression: 'DELETE cookies :cookie',
    ExpressionAttributeValues: { ':cookie': new Set([digest]) },
  })
}

/** What users find listed, beside the user in the table `accounts`: an item for each browser's session and each family. */
export function createUserSessions(client: DynamoDBDocumentClient, TableName: string): UserSessions {
  const query = (userId: UserId, prefix: string) => queryPartition(client, TableName, { pk: `USER#${userId}`, prefix })
  const isGrant = ({ familyId }: Item) => familyId !== undefined

  return {
    async list(caller) {
      const items = await query(caller.userId, 'SESSION#')
      const grants = items.filter(isGrant).map((item) => grantItem.parse(item))
      const revocations = grants.map(({ familyId }) => revocationKey(familyId))
      const { account, item } = await readWithGrantState(client, TableName, caller, revocations)
      const browsers = items.filter((listed) => !isGrant(listed)).map((listed) => browserItem.parse(listed))
      return {
        account,
        browsers: browsers.map(({ cookies, endedAt, ssoSessions, ...browser }) => ({
          ...browser,
          ssoSessions: ssoSessions && [...ssoSessions],
          isOpen: endedAt === undefined && cookies.size > 0,
        })),
        grants: grants.map((grant) => ({ ...grant, isRevoked: item(revocationKey(grant.familyId)) !== undefined })),
      }
    },

    async close(userId, sessionId, now) {
      const result = await updateItem(client, {
        ...listedBrowser(TableName, userId, sessionId),
        UpdateExpression: 'SET endedAt = if_not_exists(endedAt, :now)',
        ExpressionAttributeValues: { ':now': now },
      })
      return result.kind === 'written' ? [...browserItem.parse(result.item).cookies] : undefined
    },

    async grantsIn(userId, sessionId) {
      const items = await query(userId, `${browserKey(userId, sessionId).sk}#`)
      return items.map((item) => grantItem.parse(item))
    },

    async families(userId, { sessionId, clientId }) {
      const items = await query(userId, sessionId === undefined ? 'SESSION#' : `${browserKey(userId, sessionId).sk}#`)
      const grants = items.filter(isGrant).map((item) => grantItem.parse(item))
      const meant = clientId === undefined ? grants : grants.filter((grant) => grant.clientId === clientId)
      return meant.map(({ familyId }) => familyId)
    },

    ...createProviderSessions(client, TableName),
  }
}

/** `ClientGrants` on DynamoDB, in the table `accounts`: the families in the lists of all users. */
export function createClientGrants(client: DynamoDBDocumentClient, TableName: string): ClientGrants {
  return {
    async families(clientId, now) {
      const items = await scanItems(client, {
        TableName,
        ConsistentRead: true,
        FilterExpression: 'begins_with(sk, :listed) AND clientId = :client AND endsAt > :now',
        ExpressionAttributeValues: { ':listed': 'SESSION#', ':client': clientId, ':now': now },
      })
      return items.map((item) => grantItem.parse(item).familyId)
    },
  }
}
