import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { playStory } from '../../../infra/local/demo/playStory.ts'
import { printExchange } from '../../../infra/local/demo/printExchange.ts'
import type { Narrator } from '../../../infra/local/demo/scene.ts'
import { manifest } from '../../../infra/manifest.ts'
import { createEmulator } from '../../support/emulator.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'

/** Plays the story, and keeps what it asked for: `POST /api/billing/cancel`, without a query. */
async function play(): Promise<string[]> {
  const asked: string[] = []
  const exchange: Narrator['exchange'] = ({ method, path }) => asked.push(`${method} ${path.split('?')[0]}`)
  await playStory(stack.info, { title: () => {}, note: () => {}, exchange })
  return asked
}

/** What a billing page is built of. It has a single invoice, card or subscription from their lists. */
const operations = manifest.flatMap(({ trigger, name }) => {
  if (trigger.kind !== 'http') return []
  const { method, path } = trigger
  const isSingle = method === 'GET' && path.endsWith('}')
  const isShown =
    (path.startsWith('/api/billing/') && !isSingle) || name === 'organization' || name === 'organizations-audit-log'
  return isShown
    ? [{ line: `${method} ${path}`, asked: new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }]
    : []
})

const stack = await openLocalStack({ events: true })
const emulator = createEmulator(stack.info.stripe.api_base)

describe('The demo', () => {
  it('finds every answer as it expects it, and calls every operation that a billing page is built of', async () => {
    const asked = await play()
    expect(operations.length).toBeGreaterThan(15)
    const missing = operations.filter((operation) => !asked.some((line) => operation.asked.test(line)))
    expect(missing.map(({ line }) => line)).toEqual([])
  })

  it('waits where another request holds the customer’s lock, as a buyer’s page does', async () => {
    const error = { type: 'invalid_request_error', code: 'lock_timeout', message: 'Another request holds the lock' }
    const path = '/v1/setup_intents/*'
    await emulator.fault({ method: 'POST', path, times: 2, kind: 'status', status: 429, body: { error } })
    await expect(play()).resolves.toContain('POST /api/billing/checkout')
  })

  it('ends at the first answer that is not as expected', async () => {
    const path = '/v1/invoices/create_preview'
    await emulator.fault({ method: 'POST', path, times: 9, kind: 'status', status: 400 })
    await expect(play()).rejects.toThrow(/^the total: expected \d+, got 0$/)
  })
})

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
