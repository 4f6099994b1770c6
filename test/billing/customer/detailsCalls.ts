import type { BillingStack } from '../../support/billingStack.ts'
import { customerOf } from '../gatewayView.ts'

/** Calls of billing details. */
export function detailsOn(bed: { readonly stack: BillingStack }) {
  async function send(method: 'GET' | 'PATCH', organizationId: string, body?: unknown, headers = {}) {
    const { base_url } = bed.stack.client.info
    const token = await bed.stack.token()
    const response = await fetch(`${base_url}/api/billing/details?organization_id=${organizationId}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      etag: response.headers.get('etag') ?? '',
      body: text === '' ? null : JSON.parse(text),
    }
  }

  const patch = (organizationId: string, body: unknown, headers = {}) => send('PATCH', organizationId, body, headers)

  async function taxIdsOf(stack: BillingStack, organizationId: string): Promise<string[]> {
    const { data } = await stack.stripe.customers.listTaxIds(await customerOf(stack, organizationId))
    return data.map(({ value }) => value)
  }

  return { send, patch, taxIdsOf }
}
