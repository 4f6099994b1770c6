import { expect } from '@jest/globals'
import type { BillingStack } from '../support/billingStack.ts'
import { errorText, maskRequestId } from '../support/errorBody.ts'

interface Operation {
  method: 'GET' | 'POST'
  path: string
  body?: object
}

/** The operations on an organization's billing: all but the last write. */
export const everyOperation: [name: string, Operation][] = [
  ['checkout', { method: 'POST', path: '/api/billing/checkout', body: { product_codes: ['base_ota'] } }],
  ['setup-intent', { method: 'POST', path: '/api/billing/card-gateway/setup-intent' }],
  ['cancel', { method: 'POST', path: '/api/billing/cancel', body: { product: 'ota' } }],
  ['entitlements', { method: 'GET', path: '/api/billing/entitlements' }],
]

/** The query that names an organization. */
export const on = (organizationId: string) => `organization_id=${organizationId}`

/** Sends the operations, and observes what the service calls. */
export function operationsOf(bed: { readonly stack: BillingStack }) {
  /** Omits the headers of the answer that differ from one request to the next. */
  async function send(
    { method, path, body }: Operation,
    query: string,
    {
      text = body && JSON.stringify(body),
      ...request
    }: { token?: string; headers?: Record<string, string>; text?: string } = {},
  ) {
    const answer = await bed.stack.wire({
      method,
      path: `${path}?${query}`,
      ...request,
      headers: { 'content-type': 'application/json', ...request.headers },
      ...(text !== undefined && method === 'POST' && { body: text }),
    })
    const { date: _date, 'apigw-requestid': _gateways, 'x-request-id': _own, ...headers } = answer.headers
    return { status: answer.status, text: maskRequestId(answer.text), headers }
  }

  return {
    send,

    /** Sends all four, one after the other. Returns each one's status, or the text of a 404. */
    async statuses(token: string, organizationId: string): Promise<Record<string, number | string>> {
      const answers: [string, number | string][] = []
      for (const [name, operation] of everyOperation) {
        const { status, text } = await send(operation, on(organizationId), { token })
        answers.push([name, status === 404 ? text : status])
      }
      return Object.fromEntries(answers)
    },

    async startWatch(): Promise<void> {
      bed.stack.dynamoDb.reset()
      await bed.stack.emulator.clearRequests()
    },

    /** Fails where something was written or the gateway called since `startWatch`. */
    async expectUntouched(): Promise<void> {
      expect(bed.stack.writes()).toEqual([])
      expect(await bed.stack.emulator.requests()).toEqual([])
    },
  }
}

const noSubscription = errorText('Subscription not found', 'not_subscribed')
const noOrganization = errorText('Organization not found', 'organization_not_found')

/** Statuses where nothing was ever bought and no card is on file: checkout answers 402 to a caller who may buy. */
export const mayWrite = { checkout: 402, 'setup-intent': 200, cancel: noSubscription, entitlements: 200 }
export const mayRead = { checkout: 403, 'setup-intent': 403, cancel: 403, entitlements: 200 }
export const notThere = {
  checkout: noOrganization,
  'setup-intent': noOrganization,
  cancel: noOrganization,
  entitlements: noOrganization,
}
