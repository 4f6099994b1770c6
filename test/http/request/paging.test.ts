import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { protectedEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { cursor, encodeCursor, limit } from '../../../lib/http/request/paging.ts'
import { call, fakeDeps, signedIn } from '../call.ts'

const position = z.object({ at: z.string() })
const contract = {
  query: z.object({ limit: limit(), cursor: cursor(position) }),
  responses: { 200: z.unknown() },
}
const handler = protectedEndpoint(contract, fakeDeps().deps, async ({ query }) => ({ status: 200, body: query }))
const ask = (query: string) => call(handler, { query, headers: signedIn })
const problem = (field: string, type: string, msg: string) => ({
  status: 422,
  body: { detail: [{ loc: ['query', field], msg, type }] },
})

describe('A list', () => {
  it.each([
    ['', { limit: 25 }],
    ['limit=1', { limit: 1 }],
    ['limit=100', { limit: 100 }],
    [`limit=7&cursor=${encodeCursor({ at: '2026/ü' })}`, { limit: 7, cursor: { at: '2026/ü' } }],
  ])('reads its page of ?%s', async (query, page) => {
    expect(await ask(query)).toMatchObject({ status: 200, body: page })
  })

  const tooSmall = ['greater_than_equal', 'Input should be greater than or equal to 1'] as const
  const malformed = ['int_parsing', 'Input should be a valid integer, unable to parse string as an integer'] as const
  it.each([
    ['0', ...tooSmall],
    ['-3', ...tooSmall],
    ['101', 'less_than_equal', 'Input should be less than or equal to 100'],
    ['', ...malformed],
    ['1.5', ...malformed],
    ['many', ...malformed],
  ])('refuses the limit %j as FastAPI does', async (value, type, msg) => {
    expect(await ask(`limit=${value}`)).toMatchObject(problem('limit', type, msg))
  })

  // [catch paging.decoded]
  it.each([
    '',
    'x',
    '%7B%7D',
    encodeCursor({ at: 1 }),
    encodeCursor('2026'),
    `${encodeCursor({ at: 'x' })}%3D`,
    'bnVsbA',
  ])('refuses %j, which is no cursor of its own', async (value) => {
    expect(await ask(`cursor=${value}`)).toMatchObject(
      problem('cursor', 'value_error', 'Value error, not a cursor of this list'),
    )
  })
})
