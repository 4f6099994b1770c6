import { useServices } from '../app/services.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PagedList } from '../ui/PagedList.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useResource } from '../ui/resource.ts'
import { usePages } from '../ui/usePages.ts'
import { isBilledByInvoice } from './describeSubscription.ts'
import { InvoiceTable } from './InvoiceTable.tsx'
import { OpenInvoices } from './OpenInvoices.tsx'

const PAGE_SIZE = 10

/** Every invoice of the organization, newest first. */
export function InvoicesPage() {
  const { client } = useServices()
  const { organization, products, subscriptions } = useOrganization()
  const { value: offered } = useResource(products)
  const isSentInvoices = useResource(subscriptions).value?.some(isBilledByInvoice) ?? false
  const texts = useTexts().invoices
  const pages = usePages(['organization', organization.id, 'invoices'], async (cursor, signal) => {
    const query = { organization_id: organization.id, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }
    const { invoices, next_cursor } = await client.listInvoices({ query, signal })
    return { items: invoices, next: next_cursor }
  })
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <div className="stack">
        {isSentInvoices && <OpenInvoices products={offered} />}
        <section aria-label={texts.title}>
          {isSentInvoices && <h2>{texts.all}</h2>}
          <PagedList
            pages={pages}
            what="invoices"
            empty={
              <EmptyState icon="invoice" title={texts.none}>
                {isSentInvoices ? texts.noneSent : texts.noneCharged}
              </EmptyState>
            }
          >
            {(invoices) => <InvoiceTable invoices={invoices} products={offered} />}
          </PagedList>
        </section>
      </div>
    </>
  )
}
