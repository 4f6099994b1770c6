import type { AuditEntry } from '../app/types.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { actorName, describeEntry, type EntryNames } from './describeEntry.ts'

const icons: Readonly<Record<string, IconName>> = {
  organization: 'settings',
  member: 'people',
  invitation: 'people',
  subscription: 'box',
  payment_method: 'card',
  details: 'address',
  api_client: 'key',
}

/** A change of the organization: who made it, what it was, and when. */
export function ActivityEntry({ entry, names }: { readonly entry: AuditEntry; readonly names: EntryNames }) {
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
