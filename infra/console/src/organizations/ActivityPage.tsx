import { useServices } from '../app/services.ts'
import type { AuditEntry } from '../app/types.ts'
import { useLocalization, useTexts } from '../texts/useLocalization.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { PagedList } from '../ui/PagedList.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useResource } from '../ui/resource.ts'
import { usePages } from '../ui/usePages.ts'
import { actorName, describeEntry, type EntryNames } from './describeEntry.ts'
import { useOrganization } from './organizationData.ts'

const PAGE_SIZE = 20

const icons: Readonly<Record<string, IconName>> = {
  organization: 'settings',
  member: 'people',
  invitation: 'people',
  subscription: 'box',
  payment_method: 'card',
  details: 'address',
  api_client: 'key',
}

/** Who changed what, newest first. */
export function ActivityPage() {
  const { client } = useServices()
  const { organization } = useOrganization()
  const names = useNames()
  const texts = useTexts().activity
  const pages = usePages(['organization', organization.id, 'activity'], async (cursor, signal) => {
    const { entries, next_cursor } = await client.listAuditLogEntries({
      path: { organization_id: organization.id },
      query: { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
      signal,
    })
    return { items: entries, next: next_cursor }
  })
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <PagedList
        pages={pages}
        what="activity"
        empty={
          <EmptyState icon="activity" title={texts.none}>
            {texts.noneText}
          </EmptyState>
        }
      >
        {(entries) => (
          <ol className="timeline panel">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} names={names} />
            ))}
          </ol>
        )}
      </PagedList>
    </>
  )
}

function Entry({ entry, names }: { readonly entry: AuditEntry; readonly names: EntryNames }) {
  const localization = useLocalization()
  return (
    <li className="entry">
      <span className="row-icon small-icon">
        <Icon name={icons[entry.action.split('.')[0] ?? ''] ?? 'activity'} />
      </span>
      <p>
        <strong>{actorName(entry, names, localization)}</strong> {describeEntry(entry, names, localization)}
      </p>
      <time className="muted small" dateTime={entry.at}>
        {localization.format.time(entry.at)}
      </time>
    </li>
  )
}

/** Names by id. Former members and products that are no longer sold have none. */
function useNames(): EntryNames {
  const { members, products, apiClients } = useOrganization()
  const { value: known } = useResource(members)
  const { value: offered } = useResource(products)
  const { value: programs } = useResource(apiClients)
  return {
    user: (id) => known?.members.find(({ user_id }) => user_id === id)?.username ?? undefined,
    apiClient: (id) => programs?.find((one) => one.id === id || one.client_id === id)?.name,
    product: (code) => offered?.find(({ product }) => product === code)?.name ?? code,
  }
}
