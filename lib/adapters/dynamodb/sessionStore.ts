import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { authenticationSchema, UNKNOWN_AUTHENTICATION } from '../../core/authentication.ts'
import { NO_REVISION } from '../../core/grant.ts'
import { userIdSchema } from '../../core/ids.ts'
import type { Sessions } from '../../oauth/ports.ts'
import { type SecretDigest, secretDigestSchema } from '../../oauth/secretDigest.ts'
import { type Item, type Key, readItem } from './kit/readItems.ts'
import { transactWrite } from './kit/transactWrite.ts'
import { takeItem } from './kit/writeItem.ts'
import { checkArrival, listSignOn } from './providerSessionStore.ts'
import { cookiesIn, listBrowser, unlistCookie } from './userSessionStore.ts'

function sessionKey(digest: SecretDigest) {
  return { pk: `SESSION#${digest}`, sk: 'SESSION' }
}

/** The keys of the sessions that a browser's item lists; none if the item is of another kind. */
export function cookieKeysIn(listed: Item): Key[] {
  return cookiesIn(listed).map(sessionKey)
}

const sessionItem = z.object({
  id: z.string(),
  userId: userIdSchema,
  securityRev: z._default(z.int(), NO_REVISION),
  authentication: z._default(authenticationSchema, UNKNOWN_AUTHENTICATION),
  signedInFor: z.exactOptional(secretDigestSchema),
  validUntil: z.int(),
  browser: z.exactOptional(z.string()),
})

/**
 * Sessions of the hosted pages in the table `accounts`, by the digest of their secret. Sessions from before there was a
 * list have no id, and are over.
 */
export function createSessions(client: DynamoDBDocumentClient, TableName: string): Sessions {
  return {
    async find(digest) {
      const item = await readItem(client, TableName, sessionKey(digest))
      return item?.id === undefined ? undefined : sessionItem.parse(item)
    },

    async start(digest, session, joins, arrival) {
      const { id, userId, securityRev, authentication, signedInFor, validUntil, browser } = session
      const expiresAt = Math.ceil(validUntil / 1000)
      const stored = { id, userId, securityRev, authentication, signedInFor, validUntil, browser, expiresAt }
      const result = await transactWrite(client, {
        session: { Put: { TableName, Item: { ...sessionKey(digest), ...stored } } },
        listed: listBrowser(TableName, digest, session, joins),
        signOn: listSignOn(TableName, session),
        arrival: arrival && checkArrival(TableName, arrival),
      })
      return result.kind === 'written'
    },

    async end(digest) {
      const taken = await takeItem(client, TableName, sessionKey(digest))
      if (taken?.id !== undefined) await unlistCookie(client, TableName, digest, sessionItem.parse(taken))
    },
  }
}
