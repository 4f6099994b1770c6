import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { ProviderConnection, ProviderConnections } from '../../authenticators/ports.ts'
import type { UserId } from '../../core/ids.ts'
import { requireCallerPassed } from './authenticatorKeys.ts'
import { checkCaller } from './callerStore.ts'
import { IDENTITY_PREFIX, identityKey, listedIdentity } from './identityStore.ts'
import { userKey } from './keys.ts'
import { type Item, type Key, queryPartition } from './kit/readItems.ts'
import { transactWrite } from './kit/transactWrite.ts'

/** The identities of a user at OpenID providers, in the user's partition of the table `accounts`. */
export function createProviderConnections(client: DynamoDBDocumentClient, TableName: string): ProviderConnections {
  const listedKey = (userId: UserId, id: string): Key => ({ ...userKey(userId), sk: IDENTITY_PREFIX + id })
  const isStored = { ConditionExpression: 'attribute_exists(pk)' }

  return {
    async list(userId) {
      const items = await queryPartition(client, TableName, { pk: userKey(userId).pk, prefix: IDENTITY_PREFIX })
      return items.map(toConnection).toSorted((a, b) => a.connectedAt - b.connectedAt)
    },

    async remove(by, id, other) {
      const listed = { TableName, Key: listedKey(by.userId, id), ...isStored }
      const result = await transactWrite(client, {
        caller: checkCaller(TableName, by),
        listed: { Delete: listed },
        identity: { Delete: { TableName, Key: identityKey(id) } },
        other:
          other === undefined ? [] : [{ ConditionCheck: { TableName, Key: listedKey(by.userId, other), ...isStored } }],
      })
      if (result.kind === 'written') return 'removed'
      requireCallerPassed(result)
      return result.failed.has('listed') ? 'not_found' : 'refused'
    },
  }
}

function toConnection(item: Item): ProviderConnection {
  const { linkedAt, ...identity } = listedIdentity.parse(item)
  return { id: String(item.sk).slice(IDENTITY_PREFIX.length), connectedAt: linkedAt, ...identity }
}
