import { useCallback, useState } from 'react'
import { paginate } from '../../../../client/src/index.ts'
import { useServices } from '../../app/services.ts'
import { collect } from '../../lists/collect.ts'
import { NoMatch } from '../../lists/NoMatch.tsx'
import { PagedList } from '../../lists/PagedList.tsx'
import { usePages } from '../../lists/usePages.ts'
import { useResource } from '../../loading/resource.ts'
import { useOrganization } from '../../organizations/organizationData.ts'
import { invoiceListTexts, usePartTexts } from '../../texts/partTexts.ts'
import { useTexts } from '../../texts/useLocalization.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { isBilledByInvoice } from '../describeSubscription.ts'
import { InvoiceTable } from './InvoiceTable.tsx'
import { InvoiceTools } from './InvoiceTools.tsx'
import { everyInvoice, type InvoiceFilter, invoiceQuery, invoiceRows } from './invoiceList.ts'
import { OpenInvoices } from './OpenInvoices.tsx'
import { YearTotal } from './YearTotal.tsx'

const PAGE_SIZE = 10

/** Every invoice of the organization, newest first; those of a year with their total. */
export function InvoicesPage() {
  const { client } = useServices()
  const { organization, products, subscriptions } = useOrganization()
  const { value: offered } = useResource(products)
  const isSentInvoices = useResource(subscriptions).value?.some(isBilledByInvoice) ?? false
  const [filter, setFilter] = useState(everyInvoice)
  const texts = useTexts()
  const own = texts.invoices
  const list = usePartTexts(invoiceListTexts)
  const isFiltered = filter.year !== 'any' || filter.status !== 'any'
  const organization_id = organization.id
  const pages = usePages(['organization', organization_id, 'invoices', filter], async (cursor, signal) => {
    const wanted = { organization_id, limit: PAGE_SIZE, ...invoiceQuery(filter) }
    const query = { ...wanted, ...(cursor !== undefined && { cursor }) }
    const { invoices, next_cursor } = await client.listInvoices({ query, signal })
    return { items: invoices, next: next_cursor }
  })
  const readAll = useCallback(
    (wanted: InvoiceFilter, signal?: AbortSignal) => {
      const query = { organization_id, limit: 100, ...invoiceQuery(wanted) }
      return collect(paginate(client.listInvoices, { query, ...(signal && { signal }) }))
    },
    [client, organization_id],
  )
  return (
    <>
      <PageHeader title={own.title} lead={own.lead} />
      <div className="stack">
        {isSentInvoices && <OpenInvoices products={offered} />}
        <section aria-label={own.title}>
          {isSentInvoices && <h2>{own.all}</h2>}
          <InvoiceTools
            filter={filter}
            onChange={setFilter}
            readRows={async () => invoiceRows(await readAll(filter), offered, { texts, columns: list.columns })}
          />
          <PagedList
            pages={pages}
            what="invoices"
            empty={
              isFiltered ? (
                <NoMatch icon="invoice" texts={list} onShowAll={() => setFilter(everyInvoice)} />
              ) : (
                <EmptyState icon="invoice" title={own.none}>
                  {isSentInvoices ? own.noneSent : own.noneCharged}
                </EmptyState>
              )
            }
          >
            {(invoices) => <InvoiceTable invoices={invoices} products={offered} />}
          </PagedList>
        </section>
        {filter.year !== 'any' && <YearTotal organizationId={organization_id} year={filter.year} read={readAll} />}
      </div>
    </>
  )
}
