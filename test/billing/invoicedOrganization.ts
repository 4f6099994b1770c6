import { sendInvoicesTo } from '../../infra/local/sendInvoicesTo.ts'
import type { BillingStack } from '../support/billingStack.ts'

/** What an organization must give before it is sent invoices. */
export const details = {
  name: 'Acme Ltd',
  email: 'accounts@acme.example',
  address: { line1: '1 Example Street', line2: null, city: 'Berlin', state: null, postal_code: '10115', country: 'DE' },
}

/** A new organization that pays by invoice within so many days; it has no billing details yet. */
export async function organizationByInvoice(stack: BillingStack, daysUntilDue = 30): Promise<string> {
  const organizationId = await stack.client.newOrganization()
  await sendInvoicesTo(stack.client.info, organizationId, daysUntilDue)
  return organizationId
}

/** Gives the details that an invoice needs, and returns the answer's status. */
export async function giveDetails(stack: BillingStack, organizationId: string): Promise<number> {
  const path = `/api/billing/details?organization_id=${organizationId}`
  return (await stack.client.send({ method: 'PATCH', path, token: await stack.token(), body: details })).status
}

/** A new organization that pays by invoice and may buy. */
export async function invoicedOrganization(stack: BillingStack, daysUntilDue = 30): Promise<string> {
  const organizationId = await organizationByInvoice(stack, daysUntilDue)
  await giveDetails(stack, organizationId)
  return organizationId
}
