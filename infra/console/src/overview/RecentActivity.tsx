import { Loaded } from '../loading/Loaded.tsx'
import { ActivityEntry } from '../organizations/ActivityEntry.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { useEntryNames } from '../organizations/useEntryNames.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Timeline } from '../ui/Timeline.tsx'
import { OverviewSection } from './OverviewSection.tsx'

/** Who changed what last. */
export function RecentActivity() {
  const { recentActivity } = useOrganization()
  const names = useEntryNames()
  const { activity: general, overview } = useTexts()
  const { activity: texts } = overview
  return (
    <OverviewSection title={texts.title} page="activity" link={texts.all}>
      <Loaded resource={recentActivity} what="activity" rows={4}>
        {(entries) =>
          entries.length === 0 ? (
            <p className="muted">{general.none}</p>
          ) : (
            <Timeline>
              {entries.map((entry) => (
                <ActivityEntry key={entry.id} entry={entry} names={names} />
              ))}
            </Timeline>
          )
        }
      </Loaded>
    </OverviewSection>
  )
}
