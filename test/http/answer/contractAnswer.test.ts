import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { contract as billingCancel } from '../../../functions/billing-cancel/contract.ts'
import type { Contract } from '../../../lib/http/contract.ts'
import {
  anonymousEndpoint,
  protectedEndpoint,
  rawEndpoint,
  tokenEndpoint,
} from '../../../lib/http/endpoint/endpoint.ts'
import { call, fakeDeps, signedIn } from '../call.ts'

const { deps } = fakeDeps()
const contract = {
  responses: {
    200: z.union([
      z.object({ active: z.literal(false) }),
      z.object({ active: z.literal(true), items: z.array(z.object({ name: z.string() })) }),
    ]),
    204: z.undefined(),
    409: z.object({ detail: z.literal('TAKEN') }),
  },
} as const satisfies Contract

/** An answer with `extra` beside the listed members, as a function returns it: not a literal, where TypeScript looks for excess anyway. */
const itemOf = (name: string) => ({ name, extra: true })

describe('An answer that its contract lists', () => {
  it('compiles and is sent, at each kind of endpoint', async () => {
    const handlers = [
      protectedEndpoint(contract, deps, async () => ({ status: 200, body: { active: false } })),
      anonymousEndpoint(contract, deps, async () => ({ status: 200, body: { active: true, items: [{ name: 'a' }] } })),
      tokenEndpoint(contract, deps, async () => ({ status: 409, body: { detail: 'TAKEN' } })),
      rawEndpoint(contract, deps, async ({ body }) => {
        if (body === undefined) return { status: 204, body }
        return { status: 409, body: { detail: 'TAKEN' }, headers: { 'retry-after': '5' } }
      }),
    ]
    const answers = await Promise.all(handlers.map((handler) => call(handler, { headers: signedIn })))
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { active: false }],
      [200, { active: true, items: [{ name: 'a' }] }],
      [409, { detail: 'TAKEN' }],
      [204, null],
    ])
  })
})

describe('An answer that its contract does not list', () => {
  it('does not compile with another status', () => {
    // @ts-expect-error: no 299 in the contract
    protectedEndpoint(billingCancel, deps, async () => ({ status: 299, body: { nonsense: true } }))
    // @ts-expect-error: no 299 in the contract
    anonymousEndpoint(contract, deps, async () => ({ status: 299, body: undefined }))
    // @ts-expect-error: no 299 in the contract
    tokenEndpoint(contract, deps, async () => ({ status: 299, body: undefined }))
    // @ts-expect-error: no 299 in the contract
    rawEndpoint(contract, deps, async () => ({ status: 299, body: undefined }))
  })

  it('does not compile with the body of another status, a wrong value or a missing member', () => {
    // @ts-expect-error: the body of 409
    protectedEndpoint(contract, deps, async () => ({ status: 200, body: { detail: 'TAKEN' } }))
    // @ts-expect-error: another sentence
    anonymousEndpoint(contract, deps, async () => ({ status: 409, body: { detail: 'Taken' } }))
    // @ts-expect-error: `items` is missing
    tokenEndpoint(contract, deps, async () => ({ status: 200, body: { active: true } }))
    // @ts-expect-error: a body where there is none
    rawEndpoint(contract, deps, async () => ({ status: 204, body: {} }))
  })

  it('does not compile with a member more, at any depth', () => {
    // @ts-expect-error: `extra`
    protectedEndpoint(contract, deps, async () => ({ status: 200, body: { active: false, extra: 1 } }))
    // @ts-expect-error: `items` belongs to an active one
    anonymousEndpoint(contract, deps, async () => ({ status: 200, body: { active: false, items: [] } }))
    // @ts-expect-error: `extra` in each item
    tokenEndpoint(contract, deps, async () => ({ status: 200, body: { active: true, items: ['a'].map(itemOf) } }))
    // @ts-expect-error: `extra` in one of two answers
    rawEndpoint(contract, deps, async ({ body }) => {
      if (body === undefined) return { status: 200, body: { active: false } }
      return { status: 409, body: { detail: 'TAKEN', extra: 1 } }
    })
  })
})
