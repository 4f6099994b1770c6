import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import type { DemoUser } from '../../../../infra/data/demo.ts'
import { invoicedOrganization } from '../../../../infra/local/samples/sampleInvoices.ts'
import { toRfc3339 } from '../../../../lib/core/clock.ts'
import { errorBody, queryProblems } from '../../../support/errorBody.ts'
import { callsOf } from '../../gatewayCalls.ts'
import { customerOf, subscribedOrganization } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

const completeDetails = {
  name: 'Example GmbH',
  email: 'accounting@example.com',
  address: { line1: 'Lindenstraße 1', postal_code: '10969', city: 'Berlin', country: 'DE' },
}

const pageSchema = z.strictObject({
  invoices: z.array(z.looseObject({ id: z.string(), product: z.string().nullable(), status: z.string() })),
  next_cursor: z.string().nullable(),
})

async function list(organizationId: string, query = '') {
  const { status, body } = await bed.stack.get(`invoices${query}`, organizationId, 'billing_admin')
  expect(status).toBe(200)
  return pageSchema.parse(body)
}

const productsOf = ({ invoices }: z.infer<typeof pageSchema>) => invoices.map(({ product }) => product)

const foreign = {
  status: 422,
  body: {
    detail: [{ loc: ['query', 'cursor'], msg: 'Value error, not a cursor of this list', type: 'value_error' }],
  },
}

describe('GET /api/billing/invoices', () => {
  it('lists every member of each invoice, of whatever product, with the addresses of its page and its PDF', async () => {
    const { stack } = bed
    const { organizationId, card } = await subscribedOrganization(stack)
    const customer = await customerOf(stack, organizationId)
    await stack.emulator.advance(60)
    await stack.checkout(organizationId, ['addon_monitoring'], { card })
    const other = await stack.stripe.invoices.list({ customer })
    const { id, number, created, status_transitions, hosted_invoice_url, invoice_pdf } = other.data[0] ?? {}
    const { invoices, next_cursor } = await list(organizationId)
    expect(invoices).toEqual([
      {
        ...{ id, number, status: 'paid', product: 'monitoring', amount_due: 1900, amount_paid: 1900, currency: 'usd' },
        ...{ created_at: toRfc3339((created ?? 0) * 1000), due_at: null },
        paid_at: toRfc3339((status_transitions?.paid_at ?? 0) * 1000),
        ...{ hosted_invoice_url, invoice_pdf },
      },
      expect.objectContaining({ product: 'ota', amount_due: 4900 }),
    ])
    expect([next_cursor, invoice_pdf]).toEqual([null, expect.stringMatching(/^http/)])
    expect(JSON.stringify(invoices)).not.toContain(customer)
  })

  it('answers page after page, each invoice once, and leaves drafts out of full pages', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const customer = await customerOf(stack, organizationId)
    for (const _ of [1, 2, 3]) {
      const { items } = await stack.stripe.subscriptions.retrieve(subscriptionId)
      const end = items.data[0]?.current_period_end ?? 0
      await stack.emulator.advance(end - (await stack.emulator.now()) + 2 * 3600)
    }
    // A renewal is a draft for about an hour.
    const { items } = await stack.stripe.subscriptions.retrieve(subscriptionId)
    await stack.emulator.advance((items.data[0]?.current_period_end ?? 0) - (await stack.emulator.now()) + 60)
    await stack.emulator.flush()
    const all = await stack.stripe.invoices.list({ customer, limit: 100 })
    expect(all.data.map(({ status }) => status)).toEqual(['draft', 'paid', 'paid', 'paid', 'paid'])
    const ids = all.data.slice(1).map(({ id }) => id)

    const first = await list(organizationId, '?limit=2')
    expect(first.invoices.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const second = await list(organizationId, `?limit=2&cursor=${first.next_cursor}`)
    expect(second).toMatchObject({ invoices: [{ id: ids[2] }, { id: ids[3] }], next_cursor: null })
    expect((await list(organizationId)).invoices.map(({ id }) => id)).toEqual(ids)
    expect((await list(organizationId, '?limit=4')).next_cursor).toBeNull()

    const { organizationId: other } = await subscribedOrganization(stack)
    expect(await stack.get(`invoices?cursor=${first.next_cursor}`, other)).toEqual(foreign)
  })

  it('goes on with those of a deleted and replaced customer, and they are still owed', async () => {
    const { stack } = bed
    const organizationId = await invoicedOrganization(stack.client)
    await stack.checkout(organizationId, ['base_ota'])
    await stack.checkout(organizationId, ['addon_monitoring'])
    await stack.emulator.advance(2 * 3600)
    await stack.emulator.flush()
    const customer = await customerOf(stack, organizationId)
    const [second, first] = (await stack.stripe.invoices.list({ customer })).data.map(({ id }) => id)
    await stack.stripe.customers.del(customer)
    await stack.emulator.flush()
    expect((await list(organizationId)).invoices).toMatchObject([{ id: second }, { id: first }])
    const token = await stack.token()
    const organization = { path: `/api/organizations/${organizationId}`, token }
    expect(await stack.client.send({ method: 'DELETE', ...organization })).toMatchObject({
      body: { code: 'organization_owes', invoices: [second, first] },
    })
    const details = `/api/billing/details?organization_id=${organizationId}`
    await stack.client.send({ method: 'PATCH', path: details, token, body: completeDetails })
    await stack.checkout(organizationId, ['base_ota'])
    await stack.emulator.advance(2 * 3600)
    await stack.emulator.flush()

    const whole = await list(organizationId)
    expect(whole).toMatchObject({ invoices: [{ status: 'open' }, { id: second }, { id: first }], next_cursor: null })
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const { invoices, next_cursor } = await list(organizationId, `?limit=1${cursor}`)
      ids.push(...invoices.map(({ id }) => id))
      if (next_cursor === null) break
      cursor = `&cursor=${next_cursor}`
    }
    expect(ids).toEqual(whole.invoices.map(({ id }) => id))
  })

  it.each(['not-a-cursor', 'e30', 'bnVsbA', ''])(
    'answers 422 for the cursor %j, which it did not make',
    async (cursor) => {
      const { demo } = bed.stack.client.info
      expect(await bed.stack.get(`invoices?cursor=${cursor}`, demo.organization_id)).toEqual(foreign)
      expect(await bed.stack.get(`invoices?limit=0&cursor=${cursor}`, demo.organization_id)).toMatchObject({
        body: { detail: [{ loc: ['query', 'limit'] }, { loc: ['query', 'cursor'] }] },
      })
    },
  )

  it('knows a product by its price where the metadata were edited away, and has none for what is not sold here', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    const customer = await customerOf(stack, organizationId)
    const [price] = (await stack.stripe.prices.list({ lookup_keys: ['addon_remote_ssh'] })).data
    const product = await stack.stripe.products.create({ name: 'Support by telephone' })
    const terms = { currency: 'usd', recurring: { interval: 'month' }, unit_amount: 100 } as const
    const byHand = await stack.stripe.prices.create({ ...terms, product: product.id })
    await stack.emulator.webhooks('hold')
    const made = []
    for (const { id } of [price ?? byHand, byHand]) {
      made.push(await stack.stripe.subscriptions.create({ customer, items: [{ price: id }] }))
      await stack.emulator.advance(60)
    }
    expect(productsOf(await list(organizationId))).toEqual([null, 'remote_ssh'])
    for (const { id } of made) await stack.stripe.subscriptions.cancel(id)
  })

  it('lists those of a status, a product and a time, and refuses any other value', async () => {
    const { stack } = bed
    const { organizationId, card } = await subscribedOrganization(stack)
    await stack.emulator.advance(60)
    const between = toRfc3339((await stack.emulator.now()) * 1000)
    await stack.emulator.advance(60)
    await stack.checkout(organizationId, ['addon_monitoring'], { card })
    const found = async (query: string) => productsOf(await list(organizationId, query))
    expect(await found('?status=paid')).toEqual(['monitoring', 'ota'])
    expect(await found('?status=open')).toEqual([])
    expect(await found('?product=ota')).toEqual(['ota'])
    expect(await found(`?from=${between}`)).toEqual(['monitoring'])
    expect(await found(`?to=${between}`)).toEqual(['ota'])
    expect(await found(`?status=paid&product=ota&from=${between}`)).toEqual([])
    const query = '?status=draft&product=boat&from=today&to=2026-11-20T08:00:00'
    expect(await stack.get(`invoices${query}`, organizationId)).toMatchObject(
      queryProblems({ status: 'enum', product: 'enum', from: 'datetime_parsing', to: 'timezone_aware' }),
    )
  })

  it('lists none for an organization without a customer, and asks no gateway', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    await stack.emulator.clearRequests()
    expect(await list(organizationId)).toEqual({ invoices: [], next_cursor: null })
    expect(await stack.emulator.requests()).toEqual([])
  })

  it('is for owners and billing admins, and answers 503 with Retry-After while the gateway is unavailable', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    const as = async (user: DemoUser) => (await stack.get('invoices', organizationId, user)).status
    expect([await as('owner'), await as('member'), await as('stranger')]).toEqual([200, 403, 404])
    const token = await stack.token()
    await stack.emulator.fault({ method: 'GET', path: '/v1/invoices', kind: 'status', status: 503, times: 5 })
    const path = `/api/billing/invoices?organization_id=${organizationId}`
    const answer = await stack.wire({ method: 'GET', path, token })
    const detail = 'The payment gateway is unavailable; the request is safe to send again'
    expect([answer.status, answer.body]).toEqual([503, errorBody(detail, 'gateway_unavailable')])
    expect(answer.headers['retry-after']).toBe('5')
  })
})

describe('listInvoices', () => {
  it('gives up at the time that it is given, though the gateway has not answered', async () => {
    const { stack } = bed
    const gateway = callsOf(await stack.billing())
    await stack.emulator.fault({ method: 'GET', path: '/v1/invoices', kind: 'delay', delay_ms: 2000 })
    const answerBy = (await stack.emulator.now()) * 1000 + 300
    const startedAt = Date.now()
    const { kind } = await gateway.listInvoices('cus_1', { limit: 25, after: undefined }, { answerBy })
    expect([kind, Date.now() - startedAt < 1800]).toEqual(['unknown', true])
  })
})
