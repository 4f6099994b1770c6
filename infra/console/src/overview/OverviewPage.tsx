import { Link } from '../app/navigation.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { may } from '../organizations/permissions.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { AttentionSection } from './AttentionSection.tsx'
import { HeldProducts } from './HeldProducts.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import { SpendSection } from './SpendSection.tsx'

/** An organization at a glance: what it has and costs, what needs attention, and what happened last; for each role what it may see. */
export function OverviewPage() {
  const { organization } = useOrganization()
  const { overview: texts } = useTexts()
  const { id, name, role } = organization
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(name)}>
        <Link className="button" to={{ page: 'products', organizationId: id }}>
          {may(role, 'buy') ? texts.manage : texts.see}
        </Link>
      </PageHeader>
      <div className="stack">
        <AttentionSection />
        <HeldProducts />
        {may(role, 'see billing') && <SpendSection />}
        {may(role, 'see activity') && <RecentActivity />}
      </div>
    </>
  )
}
