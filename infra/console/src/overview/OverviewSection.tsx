import { type ReactNode, useId } from 'react'
import { Link } from '../app/navigation.tsx'
import type { OrganizationPage } from '../app/route.ts'
import { useOrganization } from '../organizations/organizationData.ts'

interface OverviewSectionProps {
  readonly title: string
  /** The page that shows everything. */
  readonly page: OrganizationPage
  /** The text of the link to it. */
  readonly link: string
  readonly children: ReactNode
}

/** A part of the overview, with a link to its page. */
export function OverviewSection({ title, page, link, children }: OverviewSectionProps) {
  const { organization } = useOrganization()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        <Link to={{ page, organizationId: organization.id }}>{link}</Link>
      </div>
      {children}
    </section>
  )
}
