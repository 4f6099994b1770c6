import { describe, expect, it } from '@jest/globals'
import { invoicedOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { toInvoiceResource } from '../../../lib/billing/customer/invoiceResource.ts'
import type { OverdueInvoice } from '../../../lib/billing/gateway/gatewayPorts.ts'
import { totalsOf } from '../../../lib/billing/reconcile/overdue.ts'
import { reconcile } from '../../../lib/billing/reconcile/reconcile.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import type { EventDraft } from '../../../lib/events/event.ts'
import { spawnScript } from '../../infra/local/support/childStack.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { noon, ok, organizationId, paidInvoice, purchase, unknown } from '../fixtures.ts'
import { customerOf } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { emptyLists } from './emptyLists.ts'
import { runReconcile } from './runReconcile.ts'

const DAY = 86_400
const bed = useCleanStack()

/** An organization whose invoices are due after so many days, with these products. */
async function billed(days: number, codes: readonly string[]): Promise<string> {
  const organization = await invoicedOrganization(bed.stack.client, days)
  await bed.stack.checkout(organization, codes)
  return organization
}

/** What the daily pass says that an organization owes. */
async function overdueOf(organization: string) {
  const { overdue } = await runReconcile()
  return overdue.filter((sum) => sum.organizationId === organization)
}

describe('Invoices past their due date are in the report of the daily pass', () => {
  it('with what the organization owes and since when, until they are paid, also once its customer is deleted', async () => {
    const { stack } = bed
    const [late, later] = [await billed(30, ['base_ota', 'addon_monitoring']), await billed(60, ['base_ota'])]
    await stack.emulator.advance(2 * 3600)
    await stack.emulator.flush()
    const customer = await customerOf(stack, late)
    const { data: sent } = await stack.stripe.invoices.list({ customer, status: 'open' })
    expect(sent).toHaveLength(2)
    expect(await overdueOf(late)).toEqual([])
    // Their next invoices are open by then, and not due.
    await stack.emulator.advance(33 * DAY)
    await stack.emulator.flush()
    const sum = {
      organizationId: late,
      currency: 'usd',
      amount: sent.reduce((total, { amount_remaining }) => total + amount_remaining, 0),
      invoices: 2,
      since: Math.min(...sent.map(({ due_date }) => due_date ?? 0)),
    }
    expect(await overdueOf(late)).toEqual([sum])
    expect(await overdueOf(later)).toEqual([])
    const announced = async (type: string) =>
      (await stack.outbox(late)).filter((event) => event.type === type).map(({ data }) => data.id)
    const inOrder = (ids: readonly unknown[]) => ids.map(String).toSorted()
    expect(inOrder(await announced('invoice.overdue'))).toEqual(inOrder(sent.map(({ id }) => id)))
    const child = spawnScript('operate/reconcile.ts', ['--base', stack.client.info.base_url])
    await child.exited
    const since = new Date(sum.since * 1000).toISOString().replace('.000Z', 'Z')
    expect(child.output()).toMatch(new RegExp(`${late}.*usd.*${sum.amount}.*2.*${since}`))
    expect(child.output()).toMatch(new RegExp(`total.*usd.*${sum.amount}`))

    await stack.stripe.customers.del(customer)
    await stack.emulator.flush()
    expect(await overdueOf(late)).toEqual([sum])
    for (const { id } of sent) await stack.stripe.invoices.pay(id, { paid_out_of_band: true })
    expect(await overdueOf(late)).toEqual([])
    await stack.emulator.flush()
    // Its customer is a former customer by now.
    expect(inOrder(await announced('invoice.paid'))).toEqual(inOrder(sent.map(({ id }) => id)))
    expect(await announced('invoice.overdue')).toHaveLength(2)
  })
})

const other = organizationIdSchema.parse('9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d')
const unpaid = paidInvoice({
  status: 'open',
  paidAt: null,
  dueAt: noon,
  amountPaid: 0,
  priceIds: ['price_1'],
  purchase: null,
})
const unpaidBy = (organization: string) => ({ ...unpaid, purchase: { ...purchase, organization_id: organization } })
const invoice = (change: Partial<OverdueInvoice>): OverdueInvoice => ({
  ...{ id: 'in_1', amount: 4900, currency: 'usd', dueAt: noon, customerId: 'cus_1', invoice: unpaid },
  ...change,
})

/** Runs a pass on a gateway with these pages of overdue invoices, where `cus_1` is the organization's. */
async function passGiven(pages: readonly (readonly OverdueInvoice[])[], { dryRun = false } = {}) {
  const [asked, logged]: [unknown[][], unknown[][]] = [[], []]
  const events: EventDraft[] = []
  const fakes = emptyLists()
  const fake = fakeBilling({
    gateway: { prices: async () => ok(new Map()) },
    records: {
      findOrganizations: async (digest) => (digest === customerDigest('cus_1') ? [organizationId] : []),
      announce: async (event) => void events.push(event),
    },
  })
  const deps = {
    ...fake,
    ...fakes,
    logger: { ...fake.logger, info: (...entry: unknown[]) => void logged.push(entry) },
    listing: {
      ...fakes.listing,
      async listOverdue(dueBefore: number, cursor?: string) {
        asked.push([dueBefore, cursor])
        const page = Number(cursor ?? 0)
        const [rows, next] = [pages[page], page + 1 < pages.length ? `${page + 1}` : undefined]
        return rows ? ok({ rows, ...(next !== undefined && { next }) }) : unknown
      },
    },
  }
  const { overdue, state, counts } = await reconcile(deps, { finishBy: Number.POSITIVE_INFINITY, dryRun })
  const lines = logged.filter(([message]) => `${message}`.startsWith('Invoices'))
  return { overdue, state, counts, asked, lines, written: fakes.written, events }
}

describe('Each overdue invoice', () => {
  const late = [invoice({}), invoice({ customerId: 'cus_of_another' })]

  it('of an organization is announced to other systems, as its owners read it, without its pages at the gateway', async () => {
    const pages = { hostedInvoiceUrl: 'https://pay.example/i/1', invoicePdf: 'https://pay.example/i/1.pdf' }
    const [event, ...others] = (
      await passGiven([[invoice({ invoice: { ...unpaidBy(organizationId), ...pages } })], late])
    ).events
    const read = toInvoiceResource({ ...unpaidBy(organizationId), product: 'ota' })
    expect(event).toMatchObject({
      type: 'invoice.overdue',
      organizationId,
      data: { ...read, status: 'open', product: 'ota' },
    })
    // The same invoice is the same event: the store keeps it once.
    expect(others).toMatchObject([{ id: event?.id, data: { product: null } }])
  })

  it('is not announced by a dry run', async () => {
    expect((await passGiven([late], { dryRun: true })).events).toEqual([])
  })
})

describe('The sums of overdue invoices', () => {
  const sum = { organizationId, currency: 'usd', amount: 4900, invoices: 1, since: noon }

  it('go by organization and currency, across pages, and are logged with their totals when the pass is complete', async () => {
    const named = { customerId: 'cus_old', invoice: unpaidBy(other) }
    const { overdue, asked, lines, counts, written } = await passGiven([
      [invoice({}), invoice({ currency: 'eur', amount: 100 }), invoice({ ...named, dueAt: noon - 5 })],
      [invoice({ amount: 1, dueAt: noon - 9 }), invoice({ customerId: 'cus_by_hand' })],
    ])
    const sums = [
      { ...sum, currency: 'eur', amount: 100 },
      { ...sum, organizationId: other, since: noon - 5 },
      { ...sum, amount: 4901, invoices: 2, since: noon - 9 },
    ]
    expect(overdue).toEqual(sums)
    expect(written.at(-1)).toMatchObject({ phase: 'complete', overdue: sums })
    expect(counts).toMatchObject({ overdue: 5, drift: 0 })
    expect(asked).toEqual([
      [noon, undefined],
      [noon, '1'],
    ])
    const inAll = [
      { currency: 'eur', amount: 100, invoices: 1, since: '2026-11-21T12:00:00Z' },
      { currency: 'usd', amount: 9801, invoices: 3, since: '2026-11-21T11:59:51Z' },
    ]
    expect(lines).toHaveLength(5)
    expect(lines[2]).toEqual(['Invoices overdue', { ...inAll[1], organizationId, amount: 4901, invoices: 2 }])
    expect(lines.slice(3)).toEqual(inAll.map((total) => ['Invoices overdue in all', total]))
  })

  it('keep 1,000 of them, and what further organizations owe in one for each currency', async () => {
    const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
    const own = (n: number, change = {}) =>
      invoice({ customerId: `cus_of_${n}`, invoice: unpaidBy(idOf(n)), ...change })
    const many = Array.from({ length: 1000 }, (_, n) => own(n))
    const { overdue } = await passGiven([many, [own(1000), own(1001), own(1002, { currency: 'eur' }), own(0)]])
    expect(overdue).toHaveLength(1002)
    expect(overdue.filter((one) => one.organizationId === null)).toEqual([
      { ...sum, organizationId: null, amount: 9800, invoices: 2 },
      { ...sum, organizationId: null, currency: 'eur' },
    ])
    expect(overdue.at(-1)).toMatchObject({ organizationId: idOf(0), amount: 9800 })
    expect(totalsOf(overdue)).toMatchObject([
      { currency: 'usd', amount: 4900 * 1003, invoices: 1003 },
      { currency: 'eur', amount: 4900 },
    ])
  })

  it('are empty where nothing is overdue, and where the gateway did not list them', async () => {
    expect(await passGiven([[]])).toMatchObject({ state: 'complete', overdue: [], lines: [] })
    expect(await passGiven([])).toMatchObject({ state: 'interrupted', overdue: [], lines: [] })
  })
})
