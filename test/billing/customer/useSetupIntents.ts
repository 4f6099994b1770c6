import { expect } from '@jest/globals'
import * as z from 'zod'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { customersOf, storedAccount } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'

/** How a request is answered that has to be sent again. */
export const unavailable = { status: 503, retryAfter: expect.stringMatching(/^\d+$/) }

/** A stack, requests for SetupIntents, and what became of them. */
export function useSetupIntents() {
  const bed = useCleanStack()

  const answerSchema = z.strictObject({ client_secret: z.string().regex(/^seti_[A-Za-z0-9]+_secret_[A-Za-z0-9]+$/) })

  async function setUp(organizationId: string, token?: string, key?: string) {
    const path = `/api/billing/card-gateway/setup-intent?organization_id=${organizationId}`
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const answer = await bed.stack.wire({ method: 'POST', path, token: token ?? (await bed.stack.token()), headers })
    return { status: answer.status, body: answer.body, retryAfter: answer.headers['retry-after'] }
  }

  const secretOf = async (answer: Promise<{ status: number; body: unknown }>) =>
    answerSchema.parse((await answer).body).client_secret

  /** The SetupIntent whose secret an answer holds; fails for any other answer. */
  async function setupIntentOf(answer: { status: number; body: unknown }) {
    expect(answer.status).toBe(200)
    const { client_secret } = answerSchema.parse(answer.body)
    const intent = await bed.stack.stripe.setupIntents.retrieve(client_secret.split('_secret_')[0] ?? '')
    expect(intent.client_secret).toBe(client_secret)
    return intent
  }

  /** Fails unless this is the organization's one customer at the gateway, and the one that it is bound to. */
  async function expectBound(organizationId: string, customer: unknown): Promise<void> {
    expect((await customersOf(bed.stack, organizationId)).map(({ id }) => id)).toEqual([customer])
    const digest = customerDigest(String(customer))
    expect(await storedAccount(bed.stack, organizationId)).toMatchObject({ custRev: 0, custDigest: digest })
  }

  return { bed, secretOf, setUp, setupIntentOf, expectBound }
}
