import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { BillingError } from '../../../lib/billing/errors.ts'
import { securityHeaders } from '../../../lib/http/answer/answer.ts'
import { rawEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { call, fakeDeps } from '../call.ts'

const contract = { responses: { 200: z.unknown() } }

describe('A raw endpoint', () => {
  it('passes the unchanged event to the handler after it synced the clock, and sends the security headers', async () => {
    const { deps, seen } = fakeDeps()
    const handler = rawEndpoint(contract, deps, async ({ body, isBase64Encoded }) => ({
      status: 200,
      body: { body, isBase64Encoded, syncs: seen.syncs },
    }))
    expect(await call(handler, { body: 'eyI=', isBase64Encoded: true })).toEqual({
      status: 200,
      body: { body: 'eyI=', isBase64Encoded: true, syncs: 1 },
      headers: { 'content-type': 'application/json', ...securityHeaders, 'x-request-id': 'request' },
    })
  })

  it.each([
    [new BillingError('invalid_signature'), 400, 'Invalid signature'],
    [new Error('not recorded'), 500, 'Internal Server Error'],
  ])('answers %s from the table', async (failure, status, detail) => {
    const { deps, lines } = fakeDeps()
    const handler = rawEndpoint(contract, deps, async () => {
      throw failure
    })
    expect(await call(handler, {})).toMatchObject({ status, body: { detail } })
    expect(lines).toHaveLength(1)
  })

  it('answers 500 where the clock does not answer', async () => {
    const { deps } = fakeDeps()
    const clock = { ...deps.clock, sync: () => Promise.reject(new Error('no clock')) }
    const handler = rawEndpoint(contract, { ...deps, clock }, async () => ({ status: 200, body: {} }))
    expect((await call(handler, {})).status).toBe(500)
  })
})
