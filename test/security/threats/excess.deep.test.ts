import { beforeAll, describe, expect, it } from '@jest/globals'
import { partner, registerPartner } from '../../support/partner.ts'
import { authorizationQuery, sendRaw, type Target, targets, useAttackedStack } from './attackedStack.ts'

const stack = useAttackedStack()
const base = () => stack().info.base_url
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

beforeAll(() => registerPartner(stack().info))

describe('Too much of something', () => {
  const writes = targets.filter(({ method }) => method === 'POST' || method === 'PATCH')
  const token = () => stack().accessToken('owner')
  const queryOf = (change: Readonly<Record<string, string>>) =>
    authorizationQuery(stack(), { client_id: partner.client_id, ...change })

  async function send({ method, path, isPage }: Target, body: string, type?: string) {
    const contentType = type ?? (isPage ? form['content-type'] : json['content-type'])
    const headers = { authorization: `Bearer ${await token()}`, 'content-type': contentType }
    return sendRaw(base(), { method, path, headers, body })
  }

  // [threat 75]
  it.each(writes)('is refused by $name with 413: a body of a byte more than 32 KiB', async (target) => {
    const padding = 'x'.repeat(32 * 1024 + 1 - 4)
    const body = target.isPage ? `x=${padding}xx` : `{"":${padding}`.slice(0, 32 * 1024 + 1)
    expect((await send(target, body)).status).toBe(413)
  })

  const answeredFrom: Readonly<Record<string, number>> = {
    // It takes no body and reads none: of an organization that is not being deleted there is nothing to restore.
    'organizations-restore': 200,
    // A request of a client, whose every parameter is optional: 303 leads to the page.
    'oauth-logout-submit': 303,
  }

  // [threat 76]
  it.each(writes)('is answered by $name: nesting, members and fields without end', async (target) => {
    const bodies = [
      '['.repeat(16_000),
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      `{${Array.from({ length: 2_500 }, (_, index) => `"m${index}":0`).join(',')}}`,
      Array.from({ length: 3_000 }, (_, index) => `f${index}=1`).join('&'),
    ]
    for (const [index, body] of bodies.entries()) {
      const { status } = await send(target, body, index === 3 ? form['content-type'] : json['content-type'])
      expect(status).toBeGreaterThanOrEqual(answeredFrom[target.name] ?? 400)
      expect(status).toBeLessThan(500)
    }
  })

  // [threat 77]
  it('is no burden to a pattern: text that makes a careless one try every way', async () => {
    const texts = ['a'.repeat(15_000), 'a.'.repeat(7_500), `${'-'.repeat(15_000)}!`, 'a@'.repeat(7_500)]
    for (const text of texts) {
      const body = JSON.stringify({ email: text, username: text, password: text.slice(0, 100) })
      const answer = await sendRaw(base(), { method: 'POST', path: '/api/auth/register', headers: json, body })
      expect(answer.status).toBe(422)
      const query = queryOf({ scope: text.slice(0, 5_000), state: text.slice(0, 5_000) })
      expect((await sendRaw(base(), { path: `/api/oauth/authorize?${query}` })).status).toBeLessThan(500)
    }
  })

  // [threat 78]
  it('of the names that every object has is no language, no purpose and no product', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', '../../etc/passwd']) {
      const query = queryOf({ ui_locales: name })
      expect((await sendRaw(base(), { path: `/api/oauth/authorize?${query}` })).status).toBe(200)
      const { status } = await sendRaw(base(), {
        path: `/api/auth/link?${new URLSearchParams({ purpose: name, token: 'x' })}`,
      })
      expect(status).toBe(400)
      const path = `/api/billing/subscriptions/${encodeURIComponent(name)}/resume?organization_id=${stack().info.demo.organization_id}`
      expect((await stack().send({ method: 'POST', path, token: await token() })).status).toBe(422)
    }
  })
})
