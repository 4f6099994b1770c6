import { beforeAll, expect } from '@jest/globals'
import type { BillingStack } from '../../support/billingStack.ts'

/** A checkout request as it goes over the wire. */
export interface RawCheckout {
  /** An organization of the caller's where left out. */
  query?: string
  /** `application/json` where left out. */
  headers?: Record<string, string>
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown
}

/** Sends checkout requests of an owner in any shape, and checks what validation answers. */
export function useRawCheckout(bed: { readonly stack: BillingStack }) {
  let token = ''
  let query = ''
  beforeAll(async () => {
    token = await bed.stack.token()
    query = `organization_id=${await bed.stack.client.newOrganization()}`
  })

  async function send(sent: RawCheckout) {
    const { headers = { 'content-type': 'application/json' } } = sent
    const text = typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body)
    return bed.stack.wire({
      method: 'POST',
      path: `/api/billing/checkout?${sent.query ?? query}`,
      token,
      headers,
      // As bytes, for `fetch` gives a text a content type of its own.
      ...(sent.body !== undefined && { body: Buffer.from(text) }),
    })
  }

  /** Expects this status and body, and no call to the store or the gateway. */
  async function expectRefused(sent: RawCheckout, status: number, body: object): Promise<void> {
    bed.stack.dynamoDb.reset()
    await bed.stack.emulator.clearRequests()
    const answer = await send(sent)
    expect([answer.status, answer.body]).toEqual([status, body])
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    expect(bed.stack.dynamoDb.calls()).toEqual([])
    expect(await bed.stack.emulator.requests()).toEqual([])
  }

  return {
    /** The organization's id, as the query spells it. */
    organizationId: () => query.slice('organization_id='.length),
    send,
    expectRefused,
    /** Expects 422 with exactly these problems. */
    expectProblems: (sent: RawCheckout, problems: readonly object[]) => expectRefused(sent, 422, { detail: problems }),
    /** Expects that the request passed validation: each of its codes, none of them on sale, is answered. */
    async expectRead(sent: RawCheckout, codes: readonly string[]): Promise<void> {
      const { status, body } = await send(sent)
      const lines = codes.map((code) => expect.objectContaining({ product_code: code, error: 'unknown_plan' }))
      expect([status, body]).toEqual([404, lines])
    },
  }
}

/** A problem as FastAPI lists it. */
export const problem = (type: string, msg: string, ...loc: (string | number)[]) => ({ loc, msg, type })

export const extra = (name: string) => problem('extra_forbidden', 'Extra inputs are not permitted', 'body', name)

export const missing = (...loc: string[]) => problem('missing', 'Field required', ...loc)
