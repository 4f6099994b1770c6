import { LoadedRows } from '../lists/LoadedRows.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { domainTexts, usePartTexts } from '../texts/partTexts.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { AddDomain } from './AddDomain.tsx'
import { DomainRow } from './DomainRow.tsx'

/** The domains of the organization; owners add, verify and delete them, and choose what they do. */
export function DomainsPage() {
  const { organization, domains } = useOrganization()
  const texts = usePartTexts(domainTexts)
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(organization.name)} />
      <div className="stack">
        <LoadedRows
          resource={domains}
          what="page"
          title={texts.listTitle}
          none={{ icon: 'globe', title: texts.none, text: texts.noneText }}
        >
          {(one) => <DomainRow key={one.id} domain={one} />}
        </LoadedRows>
        <AddDomain />
      </div>
    </>
  )
}
