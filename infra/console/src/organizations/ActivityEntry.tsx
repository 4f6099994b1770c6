import { Link } from '../app/navigation.tsx'
import type { AuditEntry } from '../app/types.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import type { IconName } from '../ui/Icon.tsx'
import { TimelineEntry } from '../ui/Timeline.tsx'
import { pageOf } from './activityList.ts'
import { actorName, describeEntry, type EntryNames } from './describeEntry.ts'
import { useOrganization } from './organizationData.ts'

const icons: Readonly<Record<string, IconName>> = {
  organization: 'settings',
  member: 'people',
  invitation: 'people',
  subscription: 'box',
  payment_method: 'card',
  details: 'address',
  api_client: 'key',
}

/** A change of the organization: who made it, what it was, and when, with a link to its object's page. */
export function ActivityEntry({ entry, names }: { readonly entry: AuditEntry; readonly names: EntryNames }) {
  const localization = useLocalization()
  const { organization } = useOrganization()
  const page = pageOf(entry)
  return (
    <TimelineEntry icon={icons[entry.action.split('.')[0] ?? ''] ?? 'activity'} at={entry.at}>
      <strong>{actorName(entry, names, localization)}</strong> {describeEntry(entry, names, localization)}{' '}
      {page !== undefined && (
        <Link className="entry-link" to={{ page, organizationId: organization.id }}>
          {localization.texts.app.pages[page]}
        </Link>
      )}
    </TimelineEntry>
  )
}
