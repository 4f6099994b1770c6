import { Link } from '../app/navigation.tsx'
import { ActivityEntry } from '../organizations/ActivityEntry.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { useEntryNames } from '../organizations/useEntryNames.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Timeline } from '../ui/Timeline.tsx'

/** Who changed what last. */
export function RecentActivity() {
  const { organization, recentActivity } = useOrganization()
  const names = useEntryNames()
  const { activity: general, overview } = useTexts()
  const { activity: texts } = overview
  return (
    <section aria-labelledby="recent-activity">
      <div className="section-head">
        <h2 id="recent-activity">{texts.title}</h2>
        <Link to={{ page: 'activity', organizationId: organization.id }}>{texts.all}</Link>
      </div>
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
    </section>
  )
}
