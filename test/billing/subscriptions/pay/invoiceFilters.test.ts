import { describe, expect, it } from '@jest/globals'
import { type Product, planCodes } from '../../../../lib/billing/catalog.ts'
import type { InvoiceFilter, InvoiceRow, PageRequest, Price } from '../../../../lib/billing/gateway/gatewayPorts.ts'
import { listInvoices } from '../../../../lib/billing/subscriptions/listInvoices.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { account, caller, noon, ok, organizationId, purchase } from '../../fixtures.ts'

/** An invoice of a product; without the name in its metadata, only its price tells. */
function row(n: number, product: Product, { isNamed = true } = {}): InvoiceRow {
  return {
    ...{ id: `in_${n}`, number: null, status: 'paid', currency: 'usd', createdAt: noon - n, dueAt: null, paidAt: null },
    ...{ purchase: isNamed ? { ...purchase, product } : null, priceIds: [`price_${product}`] },
    ...{ amountDue: 1, amountPaid: 1, hostedInvoiceUrl: null, invoicePdf: null },
  }
}

const prices: ReadonlyMap<string, Price> = new Map([
  [planCodes.ota, { id: 'price_ota', gatewayProductId: 'prod_ota', currency: 'usd' }],
])

/** An organization whose customers have these invoices, newest first; the newest customer comes last. */
function organizationWith(...customers: readonly (readonly InvoiceRow[])[]) {
  const bindings = customers.map((_, at) => ({ cipher: String(at), digest: String(at) }))
  const [customer] = bindings.slice(-1)
  const billed = { ...account, formerCustomers: bindings.slice(0, -1), ...(customer && { customer }) }
  const asked: (PageRequest & InvoiceFilter)[] = []
  const deps = fakeBilling({
    records: { read: async () => ({ role: 'owner', account: billed, slots: [] }) },
    gateway: {
      prices: async () => ok(prices),
      async listInvoices(customerId, page) {
        asked.push(page)
        const rows = customers[Number(customerId)] ?? []
        const begin = rows.findIndex(({ id }) => id === page.after) + 1
        const part = rows.slice(begin, begin + page.limit)
        const next = begin + page.limit < rows.length ? part.at(-1)?.id : undefined
        return ok({ rows: part, ...(next !== undefined && { next }) })
      },
    },
  })
  const cipher = { ...deps.cipher, decrypt: async (_organizationId: string, customer: string) => customer }

  async function list(limit: number, product?: Product, after?: string, filter: InvoiceFilter = {}) {
    const request = { organizationId, caller, limit, after, product, ...filter }
    const { rows, next } = await listInvoices({ ...deps, cipher }, request)
    return { ids: rows.map(({ id }) => id), next }
  }

  /** Every page, one after the other. */
  async function pages(limit: number, product: Product): Promise<string[][]> {
    const read: string[][] = []
    for (let after: string | undefined; ; ) {
      const { ids, next } = await list(limit, product, after)
      read.push(ids)
      if (next === undefined) return read
      after = next
    }
  }
  return { asked, list, pages }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const isOfMonitoring = (n: number) => n % 3 === 0
const mixed = (from: number, to: number) =>
  numbers(from, to).map((n) => row(n, isOfMonitoring(n) ? 'monitoring' : 'ota'))

describe('The invoices of a product', () => {
  it.each([1, 7, 34, 40, 44, 100])(
    'are each listed once in pages of %d, though customer and page of the gateway change between',
    async (limit) => {
      const pages = await organizationWith(mixed(120, 130), mixed(0, 120)).pages(limit, 'monitoring')
      const wanted = numbers(0, 130).filter(isOfMonitoring)
      expect(pages.flat()).toEqual(wanted.map((n) => `in_${n}`))
      expect(pages.every(({ length }) => length > 0 && length <= limit)).toBe(true)
    },
  )

  it('are found behind an empty page: a page reads three of the gateway at most', async () => {
    const bed = organizationWith([...numbers(0, 350).map((n) => row(n, 'ota')), row(350, 'monitoring')])
    const first = await bed.list(10, 'monitoring')
    expect([first, bed.asked.length]).toEqual([{ ids: [], next: '0:in_299' }, 3])
    expect(await bed.list(10, 'monitoring', first.next)).toEqual({ ids: ['in_350'], next: undefined })
  })

  it('are known by their price if their metadata were edited', async () => {
    const bed = organizationWith([row(0, 'ota', { isNamed: false }), row(1, 'monitoring'), row(2, 'ota')])
    expect((await bed.list(10, 'ota')).ids).toEqual(['in_0', 'in_2'])
  })
})

describe('The invoices of a status and a time', () => {
  it('are chosen by the gateway, which lists no more than is asked for', async () => {
    const bed = organizationWith(mixed(0, 30))
    const filter = { status: 'open', from: 1, to: 2 } as const
    expect((await bed.list(10, undefined, undefined, filter)).ids).toHaveLength(10)
    expect(bed.asked).toEqual([{ limit: 10, after: undefined, ...filter }])
  })
})
