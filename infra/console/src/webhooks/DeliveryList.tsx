import { useEffect, useId, useState } from 'react'
import { useServices } from '../app/services.ts'
import type { WebhookDelivery, WebhookEndpoint } from '../app/types.ts'
import { SelectField } from '../forms/SelectField.tsx'
import { PagedList } from '../lists/PagedList.tsx'
import { usePages } from '../lists/usePages.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { usePartTexts, webhookTexts } from '../texts/partTexts.ts'
import { DeliveryRow } from './DeliveryRow.tsx'

const PAGE_SIZE = 10
/** How often the list is read again while something in it is under way. */
const UNDER_WAY_MS = 1500

interface DeliveryListProps {
  readonly endpoint: WebhookEndpoint
  /** Changes when something was sent to the endpoint: the list is read again. */
  readonly sent: number
  readonly onSent: () => void
}

/** The deliveries of the last 30 days, newest first. */
export function DeliveryList({ endpoint, sent, onSent }: DeliveryListProps) {
  const { client } = useServices()
  const { organization } = useOrganization()
  const { deliveries: texts } = usePartTexts(webhookTexts)
  const [status, setStatus] = useState<'any' | 'pending' | 'delivered' | 'failed'>('any')
  const title = useId()
  const path = { organization_id: organization.id, endpoint_id: endpoint.id }
  const pages = usePages(
    ['organization', organization.id, 'deliveries', endpoint.id, status, sent],
    async (cursor, signal) => {
      const query = { limit: PAGE_SIZE, ...(status !== 'any' && { status }), ...(cursor !== undefined && { cursor }) }
      const { deliveries, next_cursor } = await client.listWebhookDeliveries({ path, query, signal })
      return { items: deliveries, next: next_cursor }
    },
  )
  const { reload, snapshot } = pages
  const isUnderWay = snapshot.value?.some(isNew) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reload` is another function at each render
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setInterval(reload, UNDER_WAY_MS)
    return () => clearInterval(timer)
  }, [isUnderWay])

  return (
    <section aria-labelledby={title} className="stack">
      <h4 id={title}>{texts.title}</h4>
      <search className="list-tools">
        <SelectField
          label={texts.status}
          value={status}
          options={[
            ['any', texts.any],
            ['pending', texts.statuses.pending],
            ['delivered', texts.statuses.delivered],
            ['failed', texts.statuses.failed],
          ]}
          onChange={setStatus}
        />
      </search>
      <PagedList pages={pages} what="deliveries" empty={<p className="muted">{texts.none}</p>}>
        {(deliveries) => (
          <ul className="rows">
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                resend={async () => {
                  await client.resendWebhookDelivery({ path: { ...path, delivery_id: delivery.id } })
                  onSent()
                }}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  )
}

/** Not tried yet, as just after a test. */
function isNew({ status, attempts }: WebhookDelivery): boolean {
  return status === 'pending' && attempts === 0
}
