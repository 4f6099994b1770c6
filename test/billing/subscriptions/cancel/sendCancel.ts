import type { BillingStack } from '../../../support/billingStack.ts'

export const atOnce = { product: 'ota', at_period_end: false }

/** A cancel request with the headers of its answer. */
export async function sendCancel(stack: BillingStack, organizationId: string, body: object) {
  const path = `/api/billing/cancel?organization_id=${organizationId}`
  const headers = { 'content-type': 'application/json' }
  const token = await stack.token()
  const answer = await stack.wire({ method: 'POST', path, token, headers, body: JSON.stringify(body) })
  return { status: answer.status, body: answer.body, retryAfter: answer.headers['retry-after'] }
}
