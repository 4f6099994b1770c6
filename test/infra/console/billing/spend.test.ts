import { describe, expect, it } from '@jest/globals'
import type { Invoice } from '../../../../infra/console/src/app/types.ts'
import { spendByMonth, startOfSpend } from '../../../../infra/console/src/overview/spendByMonth.ts'
import { paidInvoice as invoice } from './paidInvoice.ts'

const now = new Date('2026-11-24T12:00:00Z')

/** The months with an amount, by their number. */
function paidMonths(invoices: readonly Invoice[]) {
  return spendByMonth(invoices, now).map(({ currency, months, total }) => ({
    currency,
    total,
    paid: months.flatMap(({ start, amount }) => (amount > 0 ? [[new Date(start).getMonth() + 1, amount]] : [])),
  }))
}

describe('The spend of the last twelve months', () => {
  it('begins with the month of the year before that follows the current one, and has a place for each', () => {
    const [spend] = spendByMonth([invoice], now)
    const months = spend?.months.map(({ start }) => [new Date(start).getFullYear(), new Date(start).getMonth() + 1])
    expect(months).toHaveLength(12)
    expect([months?.[0], months?.[1], months?.[11]]).toEqual([
      [2025, 12],
      [2026, 1],
      [2026, 11],
    ])
    expect(startOfSpend(now)).toEqual(new Date(2025, 11, 1))
  })

  it('is what was paid, in the month of the invoice', () => {
    const invoices: Invoice[] = [
      invoice,
      { ...invoice, amount_due: 1900, amount_paid: 1900 },
      { ...invoice, created_at: '2026-03-15T12:00:00Z', paid_at: '2026-04-15T12:00:00Z' },
      { ...invoice, status: 'open', amount_paid: 900 },
      { ...invoice, status: 'open', amount_paid: 0 },
      { ...invoice, status: 'void', amount_paid: 0 },
    ]
    expect(paidMonths(invoices)).toEqual([
      {
        currency: 'usd',
        total: 4900 + 1900 + 900 + 4900,
        paid: [
          [3, 4900],
          [11, 7700],
        ],
      },
    ])
  })

  it('leaves out what is older, the same month of the year before included', () => {
    const old = { ...invoice, created_at: '2025-11-28T12:00:00Z' }
    expect(paidMonths([old])).toEqual([])
    expect(paidMonths([{ ...old, created_at: '2025-12-02T12:00:00Z' }])).toMatchObject([{ paid: [[12, 4900]] }])
  })

  it('is summed for each currency by itself', () => {
    const invoices: Invoice[] = [invoice, { ...invoice, currency: 'eur', amount_paid: 100 }]
    expect(paidMonths(invoices)).toEqual([
      { currency: 'eur', total: 100, paid: [[11, 100]] },
      { currency: 'usd', total: 4900, paid: [[11, 4900]] },
    ])
  })

  it('ends with the newest invoice if the service’s clock is ahead', () => {
    const [spend] = spendByMonth([{ ...invoice, created_at: '2027-01-15T12:00:00Z' }, invoice], now)
    expect(spend?.months.map(({ amount }) => amount).slice(-3)).toEqual([4900, 0, 4900])
    expect(spend?.total).toBe(9800)
  })

  it('has no currency if nothing was paid', () => {
    expect(spendByMonth([], now)).toEqual([])
  })
})
