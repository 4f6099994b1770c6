import type { ConsoleClient } from '../../../../client/src/index.ts'
import type { Invoice, PricedProduct } from '../../app/types.ts'
import type { Localization } from '../../texts/createLocalization.ts'
import type { invoiceList } from '../../texts/en/invoiceList.ts'
import { wordIn } from '../../texts/wordIn.ts'
import { decimalOf } from '../../ui/format.ts'
import { productName } from '../products/productLook.ts'

type InvoiceState = NonNullable<Parameters<ConsoleClient['listInvoices']>[0]['query']['status']>

/** Which invoices are shown. Years are those of the reader's calendar. */
export interface InvoiceFilter {
  readonly year: number | 'any'
  readonly status: InvoiceState | 'any'
}

export const everyInvoice: InvoiceFilter = { year: 'any', status: 'any' }

const yearOf = (time: string) => new Date(time).getFullYear()

/** The query of the invoices of a filter. */
export function invoiceQuery({ year, status }: InvoiceFilter) {
  return {
    ...(status !== 'any' && { status }),
    ...(year !== 'any' && { from: new Date(year, 0).toISOString(), to: new Date(year + 1, 0).toISOString() }),
  }
}

/** The years that may have invoices, newest first. */
export function invoiceYears(organizationCreatedAt: string, now: Date): readonly number[] {
  const first = yearOf(organizationCreatedAt)
  const last = Math.max(first, now.getFullYear())
  return Array.from({ length: last - first + 1 }, (_, at) => last - at)
}

/** The sums of some invoices in a currency, in its smallest unit. */
export interface InvoiceTotal {
  /** ISO 4217. */
  readonly currency: string
  readonly paid: number
  readonly open: number
}

/** What was paid of invoices, and what is still open, for each currency. */
export function totalsOf(invoices: readonly Invoice[]): readonly InvoiceTotal[] {
  const totals = new Map<string, InvoiceTotal>()
  for (const { currency, status, amount_paid, amount_due } of invoices) {
    const { paid, open } = totals.get(currency) ?? { paid: 0, open: 0 }
    const left = status === 'open' ? amount_due - amount_paid : 0
    totals.set(currency, { currency, paid: paid + amount_paid, open: open + left })
  }
  return [...totals.values()].toSorted((a, b) => a.currency.localeCompare(b.currency))
}

/** Invoices as a table for a spreadsheet: days as in ISO 8601, amounts with a point. */
export function invoiceRows(
  invoices: readonly Invoice[],
  products: readonly PricedProduct[] | undefined,
  { texts, columns }: Pick<Localization, 'texts'> & { readonly columns: (typeof invoiceList)['columns'] },
): readonly (readonly string[])[] {
  const own = texts.invoices
  const titles = [
    columns.number,
    columns.date,
    columns.status,
    columns.product,
    columns.amount,
    columns.paid,
    columns.currency,
    columns.due,
    columns.paidOn,
    columns.pdf,
  ]
  const day = (time: string | null) => time?.slice(0, 10) ?? ''
  const rows = invoices.map((invoice) => [
    invoice.number ?? own.draft,
    day(invoice.created_at),
    wordIn(own.states, invoice.status),
    invoice.product ? productName(products, invoice.product) : own.severalProducts,
    decimalOf(invoice.amount_due, invoice.currency),
    decimalOf(invoice.amount_paid, invoice.currency),
    invoice.currency.toUpperCase(),
    day(invoice.due_at),
    day(invoice.paid_at),
    invoice.invoice_pdf ?? '',
  ])
  return [titles, ...rows]
}
