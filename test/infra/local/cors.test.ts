import { describe, expect, it } from '@jest/globals'
import { demoClient } from '../../../infra/data/demo.ts'
import { crossOriginOf, type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createOAuthClients } from '../../../lib/adapters/dynamodb/oauthClientStore.ts'
import { createEmulator } from '../../support/emulator.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'

const origin = new URL(demoClient.redirectUri).origin
const rows: readonly FunctionRow[] = manifest
const routes = rows.flatMap((row) =>
  row.trigger.kind === 'http' ? [{ ...row.trigger, name: row.name, readers: crossOriginOf(row) }] : [],
)
const ofClients = routes.filter(({ readers }) => readers === 'registered')
const documents = routes.filter(({ readers }) => readers === 'any')
const pages = routes.filter(({ readers }) => readers === 'none')

const stack = await openLocalStack()

const send = (path: string, method: string, headers: Record<string, string>) =>
  fetch(stack.info.base_url + path, { method, headers })

const preflight = (path: string, method: string, from = origin) =>
  send(path, 'OPTIONS', {
    origin: from,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type,if-match',
  })

const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin')
const wordsIn = (response: Response, name: string) => response.headers.get(name)?.toLowerCase().split(', ') ?? []

describe('A page of another origin', () => {
  it('has JSON endpoints, documents and hosted pages to call', () => {
    expect([ofClients.length > 30, documents.length, pages.length > 5]).toEqual([true, 4, true])
  })

  describe.each(ofClients)('at $method $path', ({ method, path }) => {
    it('may send what it takes, from a client’s origin only', async () => {
      const answer = await preflight(path, method)
      expect([answer.status, allowed(answer), answer.headers.get('vary')]).toEqual([204, origin, 'Origin'])
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
      expect(wordsIn(answer, 'access-control-allow-headers')).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'if-match']),
      )
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      const refused = await preflight(path, method, 'https://evil.example.com')
      expect([refused.status, allowed(refused)]).toEqual([204, null])
    })

    it('may read the answer, from a client’s origin only', async () => {
      const answer = await send(path, method, { origin })
      expect(allowed(answer)).toBe(origin)
      expect(wordsIn(answer, 'access-control-expose-headers')).toEqual(
        expect.arrayContaining(['retry-after', 'x-request-id', 'location', 'etag']),
      )
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      expect(allowed(await send(path, method, { origin: 'https://evil.example.com' }))).toBeNull()
    })
  })

  it.each(documents)('may read $path from anywhere', async ({ path }) => {
    for (const response of [
      await send(path, 'GET', { origin: 'https://any.example.com' }),
      await preflight(path, 'GET'),
    ])
      expect([response.ok, allowed(response)]).toEqual([true, '*'])
  })

  // [asvs 3.4.2]
  it.each(pages)('may do nothing with the hosted page $method $path', async ({ method, path }) => {
    const refused = await preflight(path, method)
    expect([refused.status, allowed(refused), allowed(await send(path, method, { origin }))]).toEqual([405, null, null])
  })

  it('may read 404 and 405, and OPTIONS that is no preflight is 405', async () => {
    const [unknown, wrong] = [
      await send('/api/none', 'GET', { origin }),
      await send('/api/users/me', 'PUT', { origin }),
    ]
    expect([unknown.status, allowed(unknown), wrong.status, allowed(wrong)]).toEqual([404, origin, 405, origin])
    expect((await send('/api/users/me', 'OPTIONS', {})).status).toBe(405)
    expect((await preflight('/api/none', 'GET')).status).toBe(404)
  })

  it('may come from any port of a loopback address that a client registered, as its redirect may', async () => {
    for (const [from, readable] of [
      ['http://127.0.0.1:49152', 'http://127.0.0.1:49152'],
      ['http://localhost:49152', null],
      ['http://127.0.0.2:8080', null],
      ['null', null],
    ] as const)
      expect([from, allowed(await send('/api/users/me', 'GET', { origin: from }))]).toEqual([from, readable])
  })

  it('may call the API 30 seconds after its client was registered', async () => {
    const { demo, stripe, tables, dynamodb_endpoint } = stack.info

    const database = createDocumentClient({ endpoint: dynamodb_endpoint, region: 'us-east-1' })
    const clients = createOAuthClients(database, tables.accounts)
    const client = await clients.find(demo.client_id)
    if (client === undefined) throw new Error('there is no demo client')
    const newer = 'https://newer.example.com'
    await send('/api/users/me', 'GET', { origin: newer })
    await clients.create({ ...client, clientId: 'newer', redirectUris: [`${newer}/callback`] })
    database.destroy()
    await createEmulator(stripe.api_base).advance(30)
    // A function notices within a second that the clock was moved.
    const noticed = Date.now() + 3000
    const answer = () => send('/api/users/me', 'GET', { origin: newer })
    let given = allowed(await answer())
    while (given !== newer && Date.now() < noticed) given = allowed(await answer())
    expect(given).toBe(newer)
  })
})
