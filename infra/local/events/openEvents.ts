import { createWebhookSecretCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import { DEMO_CREATED_AT, localEndpointId, localKeys, localSecrets } from '../../data/demo.ts'
import type { Stores } from '../dependencies/openStores.ts'
import type { RequestLog } from '../http/requestLog.ts'
import type { LocalInfo } from '../info.ts'
import type { invokeFunction } from '../invokeFunction.ts'
import type { Closable } from '../resourceScope.ts'

interface EventsOptions {
  readonly info: LocalInfo
  readonly stores: Pick<Stores, 'endpoints'>
  readonly region: string
  readonly invoke: typeof invokeFunction
  readonly log: RequestLog
}

/** Registers the operator's endpoint at the stack's own receiver, and runs functions with the stream of events. */
export async function openEvents({ info, stores, region, invoke, log }: EventsOptions): Promise<Closable> {
  const kms = createKmsClient({ region })
  const cipher = createWebhookSecretCipher({ client: kms, keyId: localKeys.customer })
  await stores.endpoints.put(
    {
      owner: 'operator',
      id: localEndpointId,
      url: info.events.url,
      description: 'The receiver of the local stack',
      createdAt: DEMO_CREATED_AT,
    },
    await cipher.encrypt('operator', localSecrets.eventSecret),
  )
  kms.destroy()
  // Only then the SDK's client of streams is loaded.
  const { playStream } = await import('./playStream.ts')
  const dynamoDb = { endpoint: info.dynamodb_endpoint, region }
  return playStream({ dynamoDb, table: info.tables.events, invoke, log })
}
