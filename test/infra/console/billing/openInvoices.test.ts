import { describe, expect, it } from '@jest/globals'
import type { Invoice } from '../../../../infra/console/src/app/types.ts'
import { amountOpen, describeDue, openInvoicesOf } from '../../../../infra/console/src/billing/invoices/openInvoices.ts'
import { english, german } from '../localization.ts'
import { openInvoice as invoice } from './samples.ts'

describe('The open invoices', () => {
  it('are those that were sent and are not paid, the one that is due first at the top', () => {
    const invoices: Invoice[] = [
      invoice,
      { ...invoice, id: 'in_paid', status: 'paid' },
      { ...invoice, id: 'in_void', status: 'void' },
      { ...invoice, id: 'in_of_a_card', due_at: null },
      { ...invoice, id: 'in_first', due_at: '2026-12-01T12:00:00Z' },
    ]
    expect(openInvoicesOf(invoices).map(({ id }) => id)).toEqual(['in_first', 'in_1'])
  })

  it('ask for what a transfer has not paid yet', () => {
    expect(amountOpen({ ...invoice, amount_paid: 900 })).toBe(4000)
  })

  // Times of the reader's own zone, without one: days are those of their calendar.
  it.each([
    ['2026-12-22T12:00:00', '2026-12-15T18:00:00', 'warn', '7 days left'],
    ['2026-12-22T01:00:00', '2026-12-21T23:00:00', 'warn', '1 day left'],
    ['2026-12-22T12:00:00', '2026-12-22T09:00:00', 'warn', 'Due today'],
    ['2026-12-22T12:00:00', '2026-12-22T12:00:00', 'bad', 'Overdue'],
    ['2026-12-22T23:00:00', '2026-12-23T01:00:00', 'bad', 'Overdue by 1 day'],
    ['2026-12-22T12:00:00', '2027-01-05T12:00:00', 'bad', 'Overdue by 14 days'],
  ])('due at %s are, seen at %s, %s: %s', (dueAt, now, tone, text) => {
    expect(describeDue(dueAt, new Date(now), english)).toEqual({ tone, text })
  })

  it('say it in German too, with one day and with several', () => {
    const textAt = (now: string) => describeDue('2026-12-22T12:00:00', new Date(now), german).text
    expect(textAt('2026-12-15T18:00:00')).toBe('Noch 7 Tage')
    expect(textAt('2026-12-23T13:00:00')).toBe('1 Tag überfällig')
  })
})
