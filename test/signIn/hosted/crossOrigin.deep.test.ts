import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import * as z from 'zod'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { type LocalStack, startStack } from '../../../infra/local/stack.ts'
import { useBrowser } from '../../support/browser/useBrowser.ts'

const { browser, describeInBrowser } = useBrowser('test/signIn/crossOrigin')

const answer = z.object({
  status: z.number(),
  etag: z.string().nullable(),
  retryAfter: z.string().nullable(),
  requestId: z.string().nullable(),
})

interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

describeInBrowser('A page in a browser, of another origin than the API', () => {
  let stack: LocalStack
  let host: Awaited<ReturnType<typeof listenOnLoopback>>
  let page: Page
  let token: string

  beforeAll(async () => {
    stack = await startStack({ quiet: true, schedules: false, env: { RATE_LIMITS: 'on' } })
    page = await browser().newPage()
    host = await listenOnLoopback(
      createServer((_, response) =>
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>Console</title>'),
      ),
    )
    token = (await localClient(stack.info).signIn('owner')).access_token
  })
  afterAll(async () => {
    await host?.close()
    await stack?.close()
  })

  /** What the page's script is let read of an answer; rejects where the browser refuses to send the request, or to show its answer. */
  async function send({ path: to, ...request }: Sent): Promise<z.infer<typeof answer>> {
    const found = await page.evaluate(`(async () => {
      const { status, headers } = await fetch(${JSON.stringify(stack.info.base_url + to)}, ${JSON.stringify(request)})
      const [etag, retryAfter, requestId] = ['etag', 'retry-after', 'x-request-id'].map((name) => headers.get(name))
      return { status, etag, retryAfter, requestId }
    })()`)
    return answer.parse(found)
  }

  const me = (method: string, headers: Record<string, string> = {}, body?: string): Promise<z.infer<typeof answer>> =>
    send({
      method,
      path: '/api/users/me',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })

  it('reads and changes what its user may, with If-Match and ETag, and reads when to try again', async () => {
    await page.goto(`${host.url}/`)
    const read = await me('GET')
    expect(read).toEqual({ status: 200, etag: expect.any(String), retryAfter: null, requestId: expect.any(String) })
    const ifMatch = { 'if-match': read.etag ?? '' }
    const changed = await me('PATCH', ifMatch, '{"username":"from-a-page"}')
    expect([changed.status, changed.etag === read.etag]).toEqual([200, false])
    expect((await me('PATCH', ifMatch, '{"username":"too-late"}')).status).toBe(412)
    expect((await me('GET', { authorization: 'Bearer none' })).status).toBe(401)

    let limited = await me('PATCH', {}, '{}')
    for (let sent = 0; sent < 60 && limited.status === 200; sent += 1) limited = await me('PATCH', {}, '{}')
    expect(limited).toMatchObject({
      status: 429,
      retryAfter: expect.stringMatching(/^\d+$/),
      requestId: expect.any(String),
    })
  })

  // [asvs 3.4.2]
  it('is refused where no client has registered its origin, but reads the public documents', async () => {
    await page.goto(`${host.url.replace('127.0.0.1', 'localhost')}/`)
    await expect(me('GET')).rejects.toThrow('Failed to fetch')
    await expect(me('PATCH', {}, '{"username":"from-elsewhere"}')).rejects.toThrow('Failed to fetch')
    const plain = send({ method: 'GET', path: '/api/oauth/authorize', headers: {} })
    await expect(plain).rejects.toThrow('Failed to fetch')
    const headers = { authorization: `Bearer ${token}` }
    const { username } = z
      .object({ username: z.string() })
      .parse(await (await fetch(`${stack.info.base_url}/api/users/me`, { headers })).json())
    expect(username).toBe('from-a-page')
    expect((await send({ method: 'GET', path: '/.well-known/openid-configuration', headers: {} })).status).toBe(200)
  })
})
