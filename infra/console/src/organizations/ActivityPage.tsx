import { useState } from 'react'
import { paginate } from '../../../client/src/index.ts'
import { useServices } from '../app/services.ts'
import { NoMatch } from '../lists/NoMatch.tsx'
import { PagedList } from '../lists/PagedList.tsx'
import { collectMatching, readMatching } from '../lists/readMatching.ts'
import { usePages } from '../lists/usePages.ts'
import { activityListTexts, usePartTexts } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Timeline } from '../ui/Timeline.tsx'
import { ActivityEntry } from './ActivityEntry.tsx'
import { ActivityTools } from './ActivityTools.tsx'
import { changeQuery, changesMatching, everyChange } from './activityList.ts'
import { actorName, describeEntry } from './describeEntry.ts'
import { useOrganization } from './organizationData.ts'
import { useEntryNames } from './useEntryNames.ts'

const PAGE_SIZE = 20

/** Who changed what, newest first. */
export function ActivityPage() {
  const { client } = useServices()
  const { organization } = useOrganization()
  const names = useEntryNames()
  const localization = useLocalization()
  const texts = localization.texts.activity
  const list = usePartTexts(activityListTexts)
  const [filter, setFilter] = useState(everyChange)
  const isFiltered = Object.values(filter).some((value) => value !== 'any')
  const path = { organization_id: organization.id }
  const pages = usePages(['organization', organization.id, 'activity', filter], (cursor, signal) => {
    // The API has no filter by kind: bigger pages are read until enough changes match.
    const wanted = { limit: isFiltered ? 100 : PAGE_SIZE, ...changeQuery(filter, Date.now()) }
    const read = async (after: string | undefined) => {
      const query = { ...wanted, ...(after !== undefined && { cursor: after }) }
      const { entries, next_cursor } = await client.listAuditLogEntries({ path, query, signal })
      return { items: entries, next: next_cursor }
    }
    return readMatching(read, cursor, { ...changesMatching(filter, Date.now()), size: PAGE_SIZE })
  })

  async function readRows(): Promise<readonly (readonly string[])[]> {
    const { columns } = list
    const query = { limit: 100, ...changeQuery(filter, Date.now()) }
    const all = paginate(client.listAuditLogEntries, { path, query })
    const entries = await collectMatching(all, changesMatching(filter, Date.now()))
    const titles = [columns.time, columns.person, columns.change, columns.action, columns.target, columns.id]
    const rows = entries.map((entry) => {
      const { at, action, target, id } = entry
      return [at, actorName(entry, names, localization), describeEntry(entry, names, localization), action, target, id]
    })
    return [titles, ...rows]
  }

  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <ActivityTools filter={filter} onChange={setFilter} readRows={readRows} />
      <PagedList
        pages={pages}
        what="activity"
        empty={
          isFiltered ? (
            <NoMatch icon="activity" texts={list} onShowAll={() => setFilter(everyChange)} />
          ) : (
            <EmptyState icon="activity" title={texts.none}>
              {texts.noneText}
            </EmptyState>
          )
        }
      >
        {(entries) => (
          <Timeline>
            {entries.map((entry) => (
              <ActivityEntry key={entry.id} entry={entry} names={names} />
            ))}
          </Timeline>
        )}
      </PagedList>
    </>
  )
}
