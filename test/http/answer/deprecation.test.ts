import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import { operationObject, operations } from '../../../infra/openapi/document.ts'
import type { Operation } from '../../../infra/openapi/operation.ts'
import { deprecationHeaders } from '../../../lib/http/answer/deprecation.ts'
import {
  anonymousEndpoint,
  protectedEndpoint,
  rawEndpoint,
  tokenEndpoint,
} from '../../../lib/http/endpoint/endpoint.ts'
import type { JsonContract } from '../../../lib/http/request/validated.ts'
import { call, fakeDeps, signedIn } from '../call.ts'

const deprecated = { since: '2026-12-01T00:00:00Z', sunset: '2027-06-01T00:00:00Z' } as const
const contract = { responses: { 200: z.unknown() } } as const
const announced = { deprecation: '@1796083200', sunset: 'Tue, 01 Jun 2027 00:00:00 GMT' }
const answer = async () => ({ status: 200 as const, body: {} })

/** An endpoint of each kind, with this contract. */
function endpoints(given: JsonContract & typeof contract) {
  const { deps } = fakeDeps()
  return {
    protected: protectedEndpoint(given, deps, answer),
    anonymous: anonymousEndpoint(given, deps, answer),
    raw: rawEndpoint(given, deps, answer),
    token: tokenEndpoint(given, deps, answer),
  }
}

describe('An operation that is going to be removed', () => {
  it.each(['protected', 'anonymous', 'raw', 'token'] as const)('says so with every answer: %s', async (kind) => {
    const handler = endpoints({ ...contract, deprecated })[kind]
    expect((await call(handler, { headers: signedIn })).headers).toMatchObject(announced)
    const other = await call(endpoints(contract)[kind], { headers: signedIn })
    for (const name of Object.keys(announced)) expect(other.headers).not.toHaveProperty(name)
  })

  it('says so with refusals too', async () => {
    const { protected: handler } = endpoints({ ...contract, deprecated })
    expect(await call(handler, { headers: {} })).toMatchObject({ status: 401, headers: announced })
  })

  it('is deprecated in the document, with both headers', async () => {
    const [operation] = await operations()
    if (operation === undefined) throw new Error('no operation')
    const described = (given: Operation) => operationObject(given, [])
    const marked = described({ ...operation, contract: { ...operation.contract, deprecated } })
    expect(marked).toMatchObject({ deprecated: true })
    const names = ['"#/components/headers/Deprecation"', '"#/components/headers/Sunset"']
    for (const name of names) expect(JSON.stringify(marked.responses)).toContain(name)
    const other = described(operation)
    expect(other).not.toHaveProperty('deprecated')
    for (const name of names) expect(JSON.stringify(other.responses)).not.toContain(name)
  })

  it('is announced 180 days before, and at moments that are times', () => {
    expect(() => deprecationHeaders({ since: '2026-12-01T00:00:00Z', sunset: '2027-05-01T00:00:00Z' })).toThrow('180')
    expect(() => deprecationHeaders({ since: 'soon', sunset: '2027-06-01T00:00:00Z' })).toThrow('180')
  })
})
