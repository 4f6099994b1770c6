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
  await registerEndpoint(stores, info.events.url, await cipher.encrypt('operator', localSecrets.eventSecret))
  kms.destroy()
  // Only then the SDK's client of streams is loaded.
  const { playStream } = await import('./playStream.ts')
  const dynamoDb = { endpoint: info.dynamodb_endpoint, region }
  return playStream({ dynamoDb, table: info.tables.events, invoke, log })
}

/** Creates the endpoint anew: in kept data it has the address and perhaps the secret of an earlier run. */
async function registerEndpoint(
  { endpoints }: Pick<Stores, 'endpoints'>,
  url: string,
  secretCipher: string,
): Promise<void> {
  const endpoint = {
    owner: 'operator',
    id: localEndpointId,
    url,
    description: 'The receiver of the local stack',
    eventTypes: null,
    enabled: true,
    disabledReason: null,
    createdAt: DEMO_CREATED_AT,
  } as const
  if ((await endpoints.find('operator', localEndpointId)) !== undefined) await endpoints.delete(endpoint)
  await endpoints.create(endpoint, secretCipher)
}
