import { expect } from '@jest/globals'
import * as z from 'zod'
import { subscriptionResource } from '../../../lib/billing/slot/subscriptionResource.ts'
import type { BillingStack } from '../../support/billingStack.ts'

/** Reads the list of subscriptions. */
export function listedOn(bed: { readonly stack: BillingStack }) {
  const answerSchema = z.strictObject({ subscriptions: z.array(subscriptionResource), next_cursor: z.null() })

  async function list(organizationId: string) {
    const { status, body } = await bed.stack.get('subscriptions', organizationId, 'member')
    expect(status).toBe(200)
    return answerSchema.parse(body).subscriptions
  }

  async function inShort(organizationId: string) {
    return (await list(organizationId)).map(({ product, status, action }) => `${product} ${status} ${action}`)
  }

  return { answerSchema, list, inShort }
}
