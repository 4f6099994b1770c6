import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { protectedEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { timeRangeQuery } from '../../../lib/http/request/timeRange.ts'
import { call, fakeDeps, signedIn } from '../call.ts'

const contract = { query: z.object(timeRangeQuery), responses: { 200: z.unknown() } }
const handler = protectedEndpoint(contract, fakeDeps().deps, async ({ query }) => ({ status: 200, body: query }))
const ask = (query: string) => call(handler, { query, headers: signedIn })

describe('A range of time', () => {
  it.each([
    ['', {}],
    ['from=2026-11-20T08:00:00Z', { from: Date.UTC(2026, 10, 20, 8) }],
    ['to=2026-11-20T08:00:00.250Z', { to: Date.UTC(2026, 10, 20, 8, 0, 0, 250) }],
    ['from=2026-11-20T08:00:00%2B05:30', { from: Date.UTC(2026, 10, 20, 2, 30) }],
    [
      'from=2028-02-29T00:00:00Z&to=2026-01-01T00:00:00-01:00',
      { from: Date.UTC(2028, 1, 29), to: Date.UTC(2026, 0, 1, 1) },
    ],
  ])('reads ?%s', async (query, range) => {
    expect(await ask(query)).toMatchObject({ status: 200, body: range })
  })

  const malformed = ['datetime_parsing', 'Input should be a valid datetime, as RFC 3339 writes it'] as const
  it.each([
    ['', ...malformed],
    ['yesterday', ...malformed],
    ['2026-11-20', ...malformed],
    ['1764000000', ...malformed],
    ['2026-02-29T00:00:00Z', ...malformed],
    ['2026-11-20T24:00:00Z', ...malformed],
    ['2026-11-20T08:00:00+01:00', ...malformed],
    ['2026-11-20T08:00:00', 'timezone_aware', 'Input should have timezone info'],
  ])('refuses %j', async (value, type, msg) => {
    for (const field of ['from', 'to'])
      expect(await ask(`${field}=${value}`)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['query', field], msg, type }] },
      })
  })
})
