import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { printExchange } from '../../infra/local/demo/printExchange.ts'

describe('An exchange, as the demo prints it', () => {
  const members = Array.from({ length: 60 }, (_, n) => ({
    name: `member ${n}`,
    url: `https://example.com/${'x'.repeat(n)}`,
  }))
  const request = {
    method: 'PATCH',
    path: '/api/x?y=1',
    body: { address: null },
    headers: { 'If-Match': '"a"' },
  } as const
  const printed = (body: unknown, headers = {}) =>
    stripVTControlCharacters(printExchange(request, { status: 200, body, headers }))

  it('has the request line, the headers that matter, and the status', () => {
    expect(printed(null, { etag: '"b"', 'x-request-id': 'c' })).toBe(
      ['  PATCH /api/x?y=1', '    If-Match: "a"', '    {"address":null}', '  200', '    etag: "b"'].join('\n'),
    )
  })

  it('has every member of a long answer, in lines no longer than a value needs', () => {
    const text = printed({ members })
    expect(JSON.parse(text.split('  200\n')[1] ?? '')).toEqual({ members })
    expect(text.split('\n').filter((line) => line.length > 120)).toEqual([])
  })
})
