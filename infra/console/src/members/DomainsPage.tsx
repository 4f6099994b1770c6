import { useOrganization } from '../organizations/organizationData.ts'
import { domainTexts, usePartTexts } from '../texts/partTexts.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { RowSection } from '../ui/RowSection.tsx'
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
        <Loaded resource={domains} what="page">
          {(all) =>
            all.length === 0 ? (
              <EmptyState icon="globe" title={texts.none}>
                <p>{texts.noneText}</p>
              </EmptyState>
            ) : (
              <RowSection id="domains" title={texts.listTitle}>
                {all.map((one) => (
                  <DomainRow key={one.id} domain={one} />
                ))}
              </RowSection>
            )
          }
        </Loaded>
        <AddDomain />
      </div>
    </>
  )
}
