import { expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'

const bed = useBillingStack()
const operate = commandOn(bed, 'operate', 'gateway')

it('npm run operate -- gateway moves an organization to invoices once its products have ended, and names what it has to give', async () => {
  const { stack } = bed
  const { organizationId, card } = await stack.organizationWithCard()
  await stack.checkout(organizationId, ['base_ota'], { card })
  const invoice = [organizationId, 'invoice', '--days', '30']
  expect(await operate(...invoice)).toMatchObject({ code: 2, output: expect.stringContaining('ota is active') })
  await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
  const moved = await operate(...invoice)
  expect(moved).toMatchObject({ code: 0, output: expect.stringContaining('card -> invoice, due after 30 days') })
  expect(moved.output).toContain(
    'Missing in its billing details: address.line1, address.city, address.country, address.postal_code;',
  )
  expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['billing_details_required'])
  const address = { line1: 'Road 1', city: 'Bern', postal_code: '3000', country: 'CH' }
  const path = `/api/billing/details?organization_id=${organizationId}`
  await stack.client.send({ method: 'PATCH', path, token: await stack.token(), body: { address } })
  const sooner = await operate(organizationId, 'invoice', '--days', '14')
  expect(sooner.output).toContain('invoice, due after 30 days -> invoice, due after 14 days')
  expect(sooner.output).not.toContain('Missing')
  expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
  const live = (await stack.subscriptions(organizationId)).filter(({ status }) => status === 'active')
  expect(live).toMatchObject([{ collection_method: 'send_invoice', days_until_due: 14 }])
  expect(await operate(organizationId, 'card')).toMatchObject({ code: 2 })
})
