import { useServices } from '../app/services.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PagedList } from '../ui/PagedList.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { usePages } from '../ui/usePages.ts'
import { ActivityEntry } from './ActivityEntry.tsx'
import { useOrganization } from './organizationData.ts'
import { useEntryNames } from './useEntryNames.ts'

const PAGE_SIZE = 20

/** Who changed what, newest first. */
export function ActivityPage() {
  const { client } = useServices()
  const { organization } = useOrganization()
  const names = useEntryNames()
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
              <ActivityEntry key={entry.id} entry={entry} names={names} />
            ))}
          </ol>
        )}
      </PagedList>
    </>
  )
}
