import { useOrganization } from '../organizations/organizationData.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { DetailsEditor } from './DetailsEditor.tsx'

/** Name, address and tax id, as they are printed on invoices. */
export function DetailsPage() {
  const { details } = useOrganization()
  return (
    <>
      <PageHeader
        title="Billing details"
        lead="They are printed on your invoices, and receipts go to the email address."
      />
      <Loaded resource={details} what="billing details" rows={5}>
        {(loaded) => <DetailsEditor loaded={loaded} />}
      </Loaded>
    </>
  )
}
