import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Invoice } from '../../app/types.ts'
import { Loaded } from '../../loading/Loaded.tsx'
import { createResource } from '../../loading/resource.ts'
import { invoiceListTexts, usePartTexts } from '../../texts/partTexts.ts'
import { useLocalization } from '../../texts/useLocalization.ts'
import { everyInvoice, type InvoiceFilter, totalsOf } from './invoiceList.ts'

interface YearTotalProps {
  readonly organizationId: string
  readonly year: number
  readonly read: (filter: InvoiceFilter, signal: AbortSignal) => Promise<readonly Invoice[]>
}

/** What was paid of the invoices of a year, and what is still open. */
export function YearTotal({ organizationId, year, read }: YearTotalProps) {
  const queries = useQueryClient()
  const { format } = useLocalization()
  const texts = usePartTexts(invoiceListTexts)
  const resource = useMemo(
    () =>
      createResource<readonly Invoice[]>(queries, {
        key: ['organization', organizationId, 'invoices-of', year],
        load: (signal) => read({ ...everyInvoice, year }, signal),
      }),
    [queries, organizationId, year, read],
  )
  return (
    <section className="panel" aria-labelledby="total">
      <h2 id="total">{texts.total(year)}</h2>
      <Loaded resource={resource} what="invoices" rows={1}>
        {(invoices) => (
          <>
            {invoices.length === 0 && <p className="muted">{texts.nothing}</p>}
            {totalsOf(invoices).map(({ currency, paid, open }) => (
              <p key={currency}>
                <strong>{texts.paid(format.money(paid, currency))}</strong>
                {open > 0 && <span className="muted"> · {texts.open(format.money(open, currency))}</span>}
              </p>
            ))}
          </>
        )}
      </Loaded>
    </section>
  )
}
