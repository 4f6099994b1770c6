import type { Invoice } from '../../app/types.ts'
import type { Localization } from '../../texts/createLocalization.ts'
import type { Tone } from '../../ui/tone.ts'

/** An invoice that was sent and is not paid, with the time until which it is to be paid, RFC 3339. */
export type OpenInvoice = Invoice & { readonly due_at: string }

type Words = Pick<Localization, 'texts' | 'format'>

const DAY_MS = 86_400_000

/** The sent and unpaid invoices, the first due at the top. */
export function openInvoicesOf(invoices: readonly Invoice[]): OpenInvoice[] {
  return invoices
    .flatMap((invoice) => (invoice.status === 'open' && invoice.due_at ? [{ ...invoice, due_at: invoice.due_at }] : []))
    .toSorted((a, b) => Date.parse(a.due_at) - Date.parse(b.due_at))
}

/** The unpaid amount of an invoice, in the currency's smallest unit: a transfer may have paid a part. */
export function amountOpen({ amount_due, amount_paid }: Pick<Invoice, 'amount_due' | 'amount_paid'>): number {
  return amount_due - amount_paid
}

/** How many days are left to pay, or for how many it is overdue: days of the reader's calendar. */
export function describeDue(
  dueAt: string,
  now: Date,
  { texts, format }: Words,
): { readonly tone: Tone; readonly text: string } {
  const { overdue, overdueBy, dueToday, left } = texts.invoices
  const days = Math.round((startOfDay(new Date(dueAt)) - startOfDay(now)) / DAY_MS)
  if (Date.parse(dueAt) <= now.getTime())
    return { tone: 'bad', text: days === 0 ? overdue : overdueBy(format.count(-days, 'day')) }
  if (days === 0) return { tone: 'warn', text: dueToday }
  return { tone: 'warn', text: left(format.count(days, 'day')) }
}

function startOfDay(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
}
