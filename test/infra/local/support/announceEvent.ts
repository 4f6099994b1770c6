import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { LocalInfo } from '../../../../infra/local/info.ts'
import { putEvent } from '../../../../lib/adapters/dynamodb/eventStore.ts'
import { createDocumentClient } from '../../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { organizationIdSchema } from '../../../../lib/core/ids.ts'
import { type EventDraft, eventIdOf } from '../../../../lib/events/event.ts'

type Place = Pick<LocalInfo, 'dynamodb_endpoint' | 'tables' | 'demo'>

/** Stores an event of the demo's organization, as the transaction of its fact does. */
export async function announceEvent(info: Place, revision: number): Promise<void> {
  const organizationId = organizationIdSchema.parse(info.demo.organization_id)
  const type = 'entitlement.changed'
  const draft: EventDraft = {
    organizationId,
    id: eventIdOf(type, organizationId, `${revision}`),
    type,
    at: Date.now(),
    subject: 'SLOT#ota',
    revision,
    data: { product: 'ota', active: true, valid_until: '2027-01-28T16:51:36Z', updated_at: '2026-12-28T16:51:36Z' },
  }
  const client = createDocumentClient({ endpoint: info.dynamodb_endpoint, region: 'us-east-1' })
  await client.send(new TransactWriteCommand({ TransactItems: putEvent(info.tables.events, draft) }))
  client.destroy()
}
