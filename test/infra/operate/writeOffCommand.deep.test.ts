import { expect, it } from '@jest/globals'
import { openInvoiceOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'

const bed = useBillingStack()
const writeOff = commandOn(bed, 'operate', 'write-off')

it('npm run operate -- write-off marks what an organization owes uncollectible, so that it can be deleted', async () => {
  const { stack } = bed
  const organizationId = await openInvoiceOrganization(stack.client)
  await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
  const [{ customer } = { customer: '' }] = await stack.subscriptions(organizationId)
  const [owed] = (await stack.stripe.invoices.list({ customer: String(customer) })).data
  const remove = async () => {
    const path = `/api/organizations/${organizationId}`
    return stack.client.send({ method: 'DELETE', path, token: await stack.token() })
  }
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'organization_owes', invoices: [owed?.id] } })

  const dry = await writeOff(organizationId, '--dry-run')
  expect(dry).toMatchObject({ code: 0, output: expect.stringContaining(`${owed?.id} would be written off: 4900 usd`) })
  expect(await remove()).toMatchObject({ status: 409 })
  const wet = await writeOff(organizationId)
  expect(wet).toMatchObject({ code: 0, output: expect.stringContaining(`${owed?.id} was written off: 4900 usd`) })
  expect(await stack.stripe.invoices.retrieve(owed?.id ?? '')).toMatchObject({ status: 'uncollectible' })
  const entries = await stack.auditEntries(organizationId)
  const entry = entries.find(({ action }) => action === 'invoice.written_off')
  expect(entry).toMatchObject({ actor: { type: 'operator' }, target: owed?.id, detail: { amount: 4900 } })
  expect(await writeOff(organizationId)).toMatchObject({ code: 0, output: expect.stringContaining('owes nothing') })
  expect(await writeOff('9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d')).toMatchObject({ code: 2 })
  expect(await remove()).toMatchObject({ status: 202 })
})
