import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { customerDigest } from '../../../../lib/billing/customer/customer.ts'
import { getInvoice } from '../../../../lib/billing/subscriptions/getInvoice.ts'
import { errorBody } from '../../../support/errorBody.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { account, caller, ok, organizationId, paidInvoice } from '../../fixtures.ts'
import { subscribedOrganization } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

const listed = z.object({ invoices: z.array(z.looseObject({ id: z.string() })) })

async function invoicesOf(organization: string) {
  return listed.parse((await bed.stack.get('invoices', organization)).body).invoices
}

const notFound = { status: 404, body: errorBody('Invoice not found', 'invoice_not_found') }

describe('GET /api/billing/invoices/{invoice_id}', () => {
  it('answers each invoice as the list has it, and none of another organization', async () => {
    const { stack } = bed
    const { organizationId: own } = await subscribedOrganization(stack)
    const { organizationId: other } = await subscribedOrganization(stack)
    const [mine] = await invoicesOf(own)
    const [theirs] = await invoicesOf(other)
    expect(await stack.get(`invoices/${mine?.id}`, own)).toMatchObject({ status: 200, body: mine })
    expect(await stack.get(`invoices/${theirs?.id}`, own)).toMatchObject(notFound)
    expect(await stack.get('invoices/in_unknown', own)).toMatchObject(notFound)
    expect((await stack.get(`invoices/${mine?.id}`, own, 'member')).status).toBe(403)
  })

  it('asks no gateway for a path that is no id', async () => {
    const { stack } = bed
    const { organizationId: own } = await stack.organizationWithCard()
    await stack.emulator.clearRequests()
    const malformed = await stack.get('invoices/in_1%2Flines', own)
    expect(malformed).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'invoice_id'] }] } })
    expect(await stack.emulator.requests()).toEqual([])
  })

  it('is 503 while the gateway is unavailable', async () => {
    const { stack } = bed
    const { organizationId: own } = await stack.organizationWithCard()
    await stack.emulator.fault({ method: 'GET', path: '/v1/invoices/in_1', kind: 'status', status: 503, times: 5 })
    expect(await stack.get('invoices/in_1', own)).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } })
  })
})

const invoice = paidInvoice()

describe('getInvoice', () => {
  it('answers what a customer was billed that the gateway has deleted, and asks no gateway without a customer', async () => {
    const read = (customers: string[]) => {
      const formerCustomers = customers.map((id) => ({ cipher: id, digest: customerDigest(id) }))
      const deps = fakeBilling({
        records: { read: async () => ({ role: 'owner', account: { ...account, formerCustomers }, slots: [] }) },
        gateway: customers.length === 0 ? {} : { fetchInvoice: async () => ok({ invoice, customerId: 'cus_former' }) },
      })
      return getInvoice(deps, { organizationId, caller, invoiceId: 'in_1' })
    }
    expect(await read(['cus_former'])).toEqual({ ...invoice, product: 'ota' })
    await expect(read(['cus_another'])).rejects.toMatchObject({ code: 'invoice_not_found' })
    await expect(read([])).rejects.toMatchObject({ code: 'invoice_not_found' })
  })
})
