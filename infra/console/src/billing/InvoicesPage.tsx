import { useCallback } from 'react'
import { useServices } from '../app/services.ts'
import { useOrganization } from '../organizations/organizationData.ts'
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
  const load = useCallback(
    async (cursor: string | undefined) => {
      const query = { organization_id: organization.id, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }
      const { invoices, next_cursor } = await client.listInvoices({ query })
      return { items: invoices, next: next_cursor }
    },
    [client, organization.id],
  )
  const pages = usePages(load)
  return (
    <>
      <PageHeader title="Invoices" lead="One for each purchase and each renewal." />
      <div className="stack">
        {isSentInvoices && <OpenInvoices products={offered} />}
        <section aria-label="Invoices">
          {isSentInvoices && <h2>All invoices</h2>}
          <PagedList
            pages={pages}
            what="invoices"
            empty={
              <EmptyState icon="invoice" title="No invoices yet">
                {isSentInvoices
                  ? 'The first one comes about an hour after you buy a product.'
                  : 'The first one appears here as soon as you buy a product.'}
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
