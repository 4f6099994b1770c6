import type { Invoice } from '../app/types.ts'

/** How many months are shown, the current month included. */
const MONTHS = 12

/** What was paid in each of the last twelve months, in one currency. */
export interface Spend {
  /** ISO 4217. */
  readonly currency: string
  /** Oldest first; `start` is the first moment of the month, RFC 3339. Amounts are in the currency's smallest unit. */
  readonly months: readonly { readonly start: string; readonly amount: number }[]
  readonly total: number
}

/** The first moment of the twelve months that end with the month of a time. Months are those of the reader's calendar. */
export function startOfSpend(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth() - MONTHS + 1, 1)
}

/**
 * Sums what was paid of the invoices of the last twelve months, for each currency. An invoice counts in the month in which it was made, as the
 * list of invoices has it. The months end with the newest invoice if its month is later than now.
 */
export function spendByMonth(invoices: readonly Invoice[], now: Date): readonly Spend[] {
  const newest = Math.max(now.getTime(), ...invoices.map(({ created_at }) => Date.parse(created_at)))
  const first = startOfSpend(new Date(newest))
  const starts = Array.from({ length: MONTHS }, (_, at) => new Date(first.getFullYear(), first.getMonth() + at, 1))
  const paid = invoices.filter(
    ({ amount_paid, created_at }) => amount_paid > 0 && Date.parse(created_at) >= first.getTime(),
  )
  const currencies = [...new Set(paid.map(({ currency }) => currency))].toSorted()
  return currencies.map((currency) => {
    const amounts = new Map<number, number>()
    for (const invoice of paid) {
      if (invoice.currency !== currency) continue
      const month = startOfMonth(new Date(invoice.created_at))
      amounts.set(month, (amounts.get(month) ?? 0) + invoice.amount_paid)
    }
    const months = starts.map((start) => ({ start: start.toISOString(), amount: amounts.get(start.getTime()) ?? 0 }))
    return { currency, months, total: months.reduce((sum, { amount }) => sum + amount, 0) }
  })
}

function startOfMonth(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), 1).getTime()
}
