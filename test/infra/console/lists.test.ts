import { describe, expect, it } from '@jest/globals'
import type { AuditEntry } from '../../../infra/console/src/app/types.ts'
import {
  everyInvoice,
  invoiceQuery,
  invoiceRows,
  invoiceYears,
  totalsOf,
} from '../../../infra/console/src/billing/invoices/invoiceList.ts'
import { csvOf } from '../../../infra/console/src/lists/csv.ts'
import { collectMatching, readMatching } from '../../../infra/console/src/lists/readMatching.ts'
import {
  changeQuery,
  changesMatching,
  everyChange,
  pageOf,
} from '../../../infra/console/src/organizations/activityList.ts'
import { activity } from '../../../infra/console/src/texts/en/activity.ts'
import { invoiceList } from '../../../infra/console/src/texts/en/invoiceList.ts'
import { auditActions } from '../../../lib/organizations/auditActions.ts'
import { paidInvoice } from './billing/paidInvoice.ts'
import { english } from './localization.ts'

describe('A table as CSV', () => {
  it('quotes what has separators, and marks its encoding', () => {
    expect(
      csvOf([
        ['Name', 'Note'],
        ['Müller, "Ada"', 'a\nb'],
      ]),
    ).toBe('\uFEFFName,Note\r\n"Müller, ""Ada""","a\nb"\r\n')
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('lets no spreadsheet run %j', (text) => {
    expect(csvOf([[text]])).toMatch(/^\uFEFF"?'/)
  })
})

/** A list of numbers, newest first, in pages. */
function pagesOf(count: number, size: number) {
  const read: (string | undefined)[] = []
  const page = async (cursor: string | undefined) => {
    read.push(cursor)
    const from = Number(cursor ?? 0)
    const items = Array.from({ length: Math.min(size, count - from) }, (_, at) => count - from - at)
    return { items, next: from + size < count ? String(from + size) : null }
  }
  return { read, page }
}

describe('A filtered list that is read page by page', () => {
  const isEven = (item: number) => item % 2 === 0
  const never = () => false

  it('reads on until its page is full, and says where the next begins', async () => {
    const { page, read } = pagesOf(100, 10)
    const first = await readMatching(page, undefined, { matches: isEven, isPast: never, size: 8 })
    expect(first).toEqual({ items: [100, 98, 96, 94, 92, 90, 88, 86, 84, 82], next: '20' })
    const second = await readMatching(page, '20', { matches: isEven, isPast: never, size: 8 })
    expect(second.items[0]).toBe(80)
    expect(read).toEqual([undefined, '10', '20', '30'])
  })

  it('reads nothing that is too old', async () => {
    const { page, read } = pagesOf(100, 10)
    const found = await readMatching(page, undefined, { matches: isEven, isPast: (item) => item < 95, size: 8 })
    expect(found).toEqual({ items: [100, 98, 96], next: null })
    expect(read).toHaveLength(1)
  })

  it('stops after ten pages without a match, and can go on', async () => {
    const { page, read } = pagesOf(1000, 10)
    const found = await readMatching(page, undefined, { matches: never, isPast: never, size: 8 })
    expect(found).toEqual({ items: [], next: '100' })
    expect(read).toHaveLength(10)
  })

  it('is collected whole, as far as it must be read', async () => {
    const seen: number[] = []
    async function* items() {
      for (let item = 9; item > 0; item -= 1) {
        seen.push(item)
        yield item
      }
    }
    expect(await collectMatching(items(), { matches: isEven, isPast: (item) => item < 5 })).toEqual([8, 6])
    expect(seen).toEqual([9, 8, 7, 6, 5, 4])
  })
})

const invoice = {
  ...paidInvoice,
  created_at: '2026-03-22T12:00:00Z',
  paid_at: '2026-03-22T12:00:01Z',
  invoice_pdf: 'https://pay.example/1.pdf',
}

describe('The invoices of a year', () => {
  it('are asked for by the year of the reader’s calendar and the status', () => {
    expect(invoiceQuery(everyInvoice)).toEqual({})
    expect(invoiceQuery({ ...everyInvoice, status: 'open' })).toEqual({ status: 'open' })
    const { from, to } = invoiceQuery({ year: 2026, status: 'any' })
    const days = [from, to]
      .map((time) => new Date(time ?? ''))
      .map((day) => [day.getFullYear(), day.getMonth(), day.getDate()])
    expect(days).toEqual([
      [2026, 0, 1],
      [2027, 0, 1],
    ])
    expect(new Date(to ?? '').getHours()).toBe(0)
  })

  it('are offered from this year back to the year in which the organization began', () => {
    expect(invoiceYears('2024-07-01T12:00:00Z', new Date('2026-11-24T12:00:00Z'))).toEqual([2026, 2025, 2024])
    expect(invoiceYears('2027-07-01T12:00:00Z', new Date('2026-11-24T12:00:00Z'))).toEqual([2027])
  })

  it('are summed by currency: what was paid, and what is open', () => {
    const open = { ...invoice, status: 'open', amount_paid: 900 } as const
    const lost = { ...invoice, status: 'void', amount_paid: 0 } as const
    const yen = { ...invoice, currency: 'jpy' }
    expect(totalsOf([invoice, open, lost, yen])).toEqual([
      { currency: 'jpy', paid: 4900, open: 0 },
      { currency: 'usd', paid: 5800, open: 4000 },
    ])
  })

  it('are a table for spreadsheets', () => {
    const yen = { ...invoice, number: null, currency: 'jpy', product: null }
    const rows = invoiceRows([invoice, yen], undefined, { texts: english.texts, columns: invoiceList.columns })
    expect(rows.map((row) => row.join('|'))).toEqual([
      'Number|Date|Status|Product|Amount|Paid|Currency|Due|Paid on|PDF',
      'A-0001|2026-03-22|Paid|Ota|49.00|49.00|USD||2026-03-22|https://pay.example/1.pdf',
      'Draft|2026-03-22|Paid|Several products|4900|4900|JPY||2026-03-22|https://pay.example/1.pdf',
    ])
  })
})

const now = Date.parse('2026-11-24T12:00:00Z')
const entry: AuditEntry = {
  id: 'e-1',
  at: '2026-11-20T12:00:00Z',
  actor: { type: 'user', id: 'u-1' },
  action: 'subscription.purchased',
  target: 'ota',
  detail: {},
}

describe('The changes of an organization', () => {
  it('are found by kind, by who made them and by period', () => {
    const finds = (filter: Partial<typeof everyChange>, of: AuditEntry = entry) => {
      const { matches, isPast } = changesMatching({ ...everyChange, ...filter }, now)
      return matches(of) && !isPast(of)
    }
    const refused = { ...entry, actor: { type: 'gateway', id: null } } as const
    expect([finds({}), finds({ kind: 'products' }), finds({ kind: 'money' })]).toEqual([true, true, false])
    expect([finds({ actor: 'u-1' }), finds({ actor: 'u-2' }), finds({ actor: 'gateway' }, refused)]).toEqual([
      true,
      false,
      true,
    ])
    expect([finds({ days: '7' }), finds({ days: '7' }, { ...entry, at: '2026-11-16T12:00:00Z' })]).toEqual([
      true,
      false,
    ])
  })

  it('are asked for by who made them, if that has an id, and by period', () => {
    expect(changeQuery(everyChange, now)).toEqual({})
    expect(changeQuery({ kind: 'money', actor: 'gateway', days: 'any' }, now)).toEqual({})
    expect(changeQuery({ kind: 'any', actor: 'u-1', days: '7' }, now)).toEqual({
      actor_id: 'u-1',
      from: '2026-11-17T12:00:00.000Z',
    })
  })

  it('can be asked for by each action that the console describes', () => {
    // No one is left to read the entry of an erasure.
    const described = [...Object.keys(activity.sentences), 'organization.erased']
    expect([...auditActions].toSorted()).toEqual(described.toSorted())
  })

  it('lead each to the page of its object, except of kinds that a newer API may have', () => {
    const pages = Object.keys(activity.sentences).map((action) => pageOf({ action }))
    expect(pages).not.toContain(undefined)
    expect(pageOf({ action: 'subscription.purchased' })).toBe('products')
    expect(pageOf({ action: 'webhook_endpoint.created' })).toBe('webhooks')
    expect(pageOf({ action: 'satellite.launched' })).toBeUndefined()
  })
})
