/** @over-the-wire */
import { createHash } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { catalogCoupons, catalogProducts } from '../../../infra/data/catalog.ts'
import { demoBrowserConsoleAt } from '../../../infra/data/demo.ts'
import { methodsOf } from '../../../infra/data/routes.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { clockNotice } from '../../../infra/local/pages/clockControls.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { errorBody } from '../../support/errorBody.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { addressesOf, isListening } from './support/childStack.ts'

const rows: readonly FunctionRow[] = manifest
const httpRoutes = rows.flatMap(({ trigger }) => (trigger.kind === 'http' ? [trigger] : []))
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const

const stack = await openLocalStack({ schedules: true })
const client = localClient(stack.info)

it('The local stack’s gateway locks the customer of a write, as Stripe does', async () => {
  const answer = await fetch(`${stack.info.stripe.api_base}/_emulator/settings`)
  expect(await answer.json()).toMatchObject({ customer_lock: true, early_events: false })
})

/** The answers that may be cached. */
const documents: ReadonlySet<string> = new Set([
  '/api/openapi.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/jwks.json',
])

describe('The local API', () => {
  describe('Given the rows of the manifest', () => {
    it.each(httpRoutes)('routes $method $path to its function', async ({ method, path }) => {
      const response = await fetch(stack.info.base_url + path, { method })
      // Public documents answer 200; every other request lacks a token, a field or a form.
      expect([200, 400, 401, 403, 422]).toContain(response.status)
      const kept = documents.has(path) ? 'public, max-age=300' : 'no-store'
      expect(response.headers.get('cache-control')).toContain(kept)
    })

    it.each([...new Set(httpRoutes.map(({ path }) => path))])(
      'answers 405 with Allow to other methods of %s',
      async (path) => {
        const allowed = httpRoutes.filter((route) => route.path === path).flatMap(methodsOf)
        for (const method of methods.filter((name) => allowed.every((other) => other !== name))) {
          const response = await fetch(stack.info.base_url + path, { method })
          expect(response.status).toBe(405)
          expect(response.headers.get('allow')).toBe(allowed.join(', '))
          expect(response.headers.get('cache-control')).toBe('no-store')
          expect(await response.json()).toEqual(errorBody('Method Not Allowed', 'method_not_allowed'))
        }
      },
    )

    it('answers HEAD where GET works, with its status and headers and without its body', async () => {
      for (const { path } of httpRoutes.filter(({ method }) => method === 'GET')) {
        const answers = ['GET', 'HEAD'].map(async (method) => {
          const response = await fetch(stack.info.base_url + path, { method })
          const { status, headers } = response
          const framing = ['content-type', 'content-length', 'www-authenticate'].map((name) => headers.get(name))
          return { path, status, framing, text: method === 'HEAD' ? await response.text() : '' }
        })
        const [get, head] = await Promise.all(answers)
        expect(head).toEqual(get)
        expect(Number(get?.framing[1])).toBeGreaterThan(0)
      }
    })

    it('serves the webhook alone on its own port', async () => {
      for (const path of ['/', '/_local/info', '/_local/console']) {
        const response = await fetch(`${stack.info.webhook_url}${path}`)
        expect([path, response.status]).toEqual([path, 400])
      }
    })

    it('serves the webhook on its own port, at every path', async () => {
      const response = await fetch(`${stack.info.webhook_url}/any/path`, { method: 'POST', body: '{}' })
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual(errorBody('Invalid signature', 'invalid_signature'))
    })
  })

  describe('Given a path that no row has', () => {
    it.each(['/api', '/api/users/me/', '/api//users/me', '/API/users/me', '/api/users%2Fme', '/webhook'])(
      'answers 404 to %s',
      async (path) => {
        const response = await fetch(stack.info.base_url + path)
        expect(response.status).toBe(404)
        expect(await response.json()).toEqual(errorBody('Not Found', 'not_found'))
      },
    )
  })

  describe('Given a body of more than 10 MB', () => {
    it('answers 413 as API Gateway does', async () => {
      const body = 'x'.repeat(10 * 1024 * 1024 + 1)
      const response = await fetch(`${stack.info.base_url}/api/oauth/token`, { method: 'POST', body })
      expect(response.status).toBe(413)
      expect(await response.json()).toEqual({ message: 'Request Entity Too Large' })
    })
  })
})

describe('The address of the local stack', () => {
  const { port } = new URL(stack.info.base_url)
  const hosts = Object.values(networkInterfaces()).flat()
  const addresses = ['127.0.0.1', ...(hosts.some((one) => one?.address === '::1') ? ['[::1]'] : [])]

  it('is localhost, for pages, tokens and mails', () => {
    const { base_url, issuer, mail } = stack.info
    expect({ base_url, issuer, mail: mail.page }).toEqual({
      base_url: `http://localhost:${port}`,
      issuer: base_url,
      mail: `${base_url}/_local/mail`,
    })
    expect(process.env.ACCOUNT_URL).toBe(base_url)
  })

  it.each(addresses)('is where pages lead that are opened at %s, while the API answers there', async (address) => {
    const asPage = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, redirect: 'manual' } as const
    for (const path of [
      '/',
      '/_local/console/profile?x=1',
      '/_local/mail',
      '/api/auth/link?purpose=register',
      '/none',
    ]) {
      const answer = await fetch(`http://${address}:${port}${path}`, asPage)
      expect([answer.status, answer.headers.get('location')]).toEqual([307, stack.info.base_url + path])
    }
    const calls = [['/api/openapi.json'], ['/_local/info'], ['/'], ['/api/auth/link?purpose=register']] as const
    for (const [path] of calls)
      expect([path, (await fetch(`http://${address}:${port}${path}`, { redirect: 'manual' })).status]).toEqual([
        path,
        200,
      ])
    const post = await fetch(`http://${address}:${port}/_local/clock/reset`, { ...asPage, method: 'POST' })
    expect(post.status).toBe(200)
    expect((await fetch(`${stack.info.base_url}/`, asPage)).status).toBe(200)
  })
})

describe('GET /', () => {
  it('shows every demo user with the password, every address, and the way to everything else', async () => {
    const { info } = stack
    const answer = await fetch(`${info.base_url}/`)
    const page = (await answer.text()).replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*script-src 'self'/)
    for (const user of ['owner', 'billing_admin', 'member', 'stranger'] as const) {
      const { email, password } = info.demo[user]
      for (const shown of [email, password]) expect(page).toContain(`<code>${shown}</code>`)
      expect(page).toContain(`href="/_local/sign-in?as=${user}"`)
    }
    for (const address of addressesOf(info)) expect(page).toContain(`<code>${address}</code>`)
    for (const link of ['/_local/console', '/_local/mail', '/_local/docs', `${info.stripe.api_base}/_emulator/`])
      expect(page).toContain(`href="${link}"`)
    const { port } = new URL(info.base_url)
    expect(page).toContain(`<code>npm run demo -- --port ${port}</code>`)
    expect(page).toMatch(/curl .*\/api\/billing\/entitlements/)
  })

  it('loads only files that the stack serves, and leads to answers', async () => {
    const page = await (await fetch(`${stack.info.base_url}/`)).text()
    const paths = [...page.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path = '']) => path)
    const console = '/_local/console'
    for (const path of new Set(paths.filter((path) => path !== console)))
      expect([path, (await fetch(stack.info.base_url + path)).status]).toEqual([path, 200])
  })

  it.each(['/', '/_local/mail', '/_local/docs', '/_local/info'])(
    'answers HEAD %s as GET, without the body',
    async (path) => {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map(async (method) => {
          const { status, headers } = await fetch(stack.info.base_url + path, { method })
          return { status, headers: ['content-type', 'content-length'].map((name) => headers.get(name)) }
        }),
      )
      expect(head).toEqual(get)
      expect(head?.status).toBe(200)
    },
  )

  it('leaves other methods to the API', async () => {
    expect((await fetch(`${stack.info.base_url}/`, { method: 'POST' })).status).toBe(404)
  })
})

describe('/_local', () => {
  const control = (path: string, body: unknown) => client.send({ method: 'POST', path: `/_local/${path}`, body })

  describe('GET /_local/info', () => {
    it('lists the demo’s users with the ids that the service returns', async () => {
      const { demo } = stack.info
      for (const user of ['owner', 'billing_admin', 'member', 'stranger'] as const) {
        const { access_token: token } = await client.signIn(user)
        const { body } = await client.send({ method: 'GET', path: '/api/users/me', token })
        expect(body).toMatchObject({ id: demo[user].id, email: demo[user].email, username: demo[user].username })
      }
    })
  })

  describe('POST /_local/authorization-codes', () => {
    it('issues a code that can be exchanged once', async () => {
      const code = await client.authorizationCode('owner')
      expect(await client.exchange(code)).toMatchObject({ access_token: expect.any(String) })
      await expect(client.exchange(code)).rejects.toThrow()
    })

    it('answers 404 for an unknown user and an unknown client', async () => {
      const user_id = '00000000-0000-4000-8000-000000000000'
      expect(await control('authorization-codes', { user_id })).toEqual({
        status: 404,
        body: { detail: 'User not found' },
      })
      const known = stack.info.demo.owner.id
      expect(await control('authorization-codes', { user_id: known, client_id: 'unknown' })).toEqual({
        status: 404,
        body: { detail: 'Client not found' },
      })
    })

    it('answers 422 for a malformed id and a redirect_uri that is not registered', async () => {
      const malformed = await control('authorization-codes', { user_id: 'x' })
      expect(malformed).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'user_id'] }] } })
      const redirect_uri = 'https://attacker.example.com/'
      const unregistered = await control('authorization-codes', { user_id: stack.info.demo.owner.id, redirect_uri })
      expect(unregistered).toMatchObject({ status: 422, body: { detail: [{ type: 'invalid_request' }] } })
    })
  })

  describe('GET /_local/sign-in', () => {
    const signIn = async (as: string, cookie = '') => {
      const answer = await fetch(`${stack.info.base_url}/_local/sign-in?as=${as}`, { headers: { cookie } })
      const [pair = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';')
      return { status: answer.status, cookie: pair, text: await answer.text() }
    }
    /** What the console does next: it asks for a code, which a session answers at once. Undefined if a page asks for the password. */
    const openConsole = async (cookie: string): Promise<string | undefined> => {
      const { clientId: client_id, redirectUri: redirect_uri } = demoBrowserConsoleAt(stack.info.base_url)
      const verifier = 'v'.repeat(43)
      const code_challenge = createHash('sha256').update(verifier).digest('base64url')
      const pkce = { code_challenge, code_challenge_method: 'S256', state: 's' }
      const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, ...pkce })
      const url = `${stack.info.base_url}/api/oauth/authorize?${query}`
      const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' })
      const location = answer.headers.get('location')
      if (location === null) return undefined
      const code = new URL(location).searchParams.get('code')
      const body = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: verifier }
      const tokens = await client.send({ method: 'POST', path: '/api/oauth/token', body })
      return z.object({ access_token: z.string() }).parse(tokens.body).access_token
    }
    const readMe = (token: string | undefined) =>
      client.send({ method: 'GET', path: '/api/users/me', token: `${token}` })

    it.each(['owner', 'billing_admin', 'member', 'stranger'] as const)('signs in as the %s', async (role) => {
      const { cookie, text } = await signIn(role)
      const { id, username } = stack.info.demo[role]
      expect(text).toContain(`Signed in as ${username}`)
      expect(await readMe(await openConsole(cookie))).toMatchObject({ status: 200, body: { id } })
    })

    it('ends the session before, with the tokens that the console had', async () => {
      const first = await signIn('owner')
      const token = await openConsole(first.cookie)
      const second = await signIn('member', first.cookie)
      expect((await readMe(token)).status).toBe(401)
      expect(await openConsole(first.cookie)).toBeUndefined()
      const { id } = stack.info.demo.member
      expect(await readMe(await openConsole(second.cookie))).toMatchObject({ status: 200, body: { id } })
    })

    it('names the demo users, if it is asked for another', async () => {
      expect(await signIn('king')).toMatchObject({
        status: 422,
        text: expect.stringContaining('/_local/sign-in?as=owner'),
      })
    })
  })

  describe('POST /_local/memberships', () => {
    it('adds a user to an organization and removes them', async () => {
      const organization_id = await client.newOrganization()
      const { access_token: token } = await client.signIn('stranger')
      const path = `/api/billing/entitlements?organization_id=${organization_id}`
      const membership = { user_id: stack.info.demo.stranger.id, organization_id }
      const statuses: number[] = []
      for (const role of [undefined, 'member', null]) {
        if (role !== undefined) expect((await control('memberships', { ...membership, role })).status).toBe(200)
        statuses.push((await client.send({ method: 'GET', path, token })).status)
      }
      expect(statuses).toEqual([404, 200, 404])
    })

    it('answers 422 for a role that does not exist', async () => {
      const { demo } = stack.info
      const answer = await control('memberships', {
        user_id: demo.member.id,
        organization_id: demo.organization_id,
        role: 'king',
      })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'role'] }] } })
    })
  })

  describe('Given another path', () => {
    it('answers 404 and lists the controls', async () => {
      const response = await fetch(`${stack.info.base_url}/_local/nothing`)
      expect(response.status).toBe(404)
      expect(await response.text()).toContain('GET /_local/info')
    })
  })
})

describe('The clock of the local stack', () => {
  const page = async (path: string) => (await fetch(stack.info.base_url + path)).text()
  const clockOf = async () => (await fetch(`${stack.info.base_url}/_local/clock`)).json()
  const hosted = '/api/account/security'

  it('is real time, and no page speaks of it', async () => {
    expect(await clockOf()).toMatchObject({ notice: null })
    expect(await page(hosted)).not.toContain('local clock')
  })

  it('is said to be ahead by the hosted pages and the console’s script, and is reset with the state kept', async () => {
    const organization_id = await client.newOrganization()
    await client.control('clock', { advance_seconds: 32 * 86_400 })
    expect(await clockOf()).toMatchObject({ notice: 'The local clock is 32 days ahead' })
    expect(await page(hosted)).toContain(`name="return_to" value="${hosted}"`)
    expect(await page(hosted)).toContain('The local clock is 32 days ahead.')
    expect(await page('/_local/console/')).toContain('src="/_local/pages/clock.js"')
    const body = new URLSearchParams({ return_to: hosted })
    const reset = await fetch(`${stack.info.base_url}/_local/clock/reset`, { method: 'POST', body, redirect: 'manual' })
    expect([reset.status, reset.headers.get('location')]).toEqual([303, hosted])
    expect(await clockOf()).toMatchObject({ notice: null })
    const { access_token: token } = await client.signIn('owner')
    expect((await client.send({ method: 'GET', path: `/api/organizations/${organization_id}`, token })).status).toBe(
      200,
    )
  })

  it('is reset without a form, and leads to no other site', async () => {
    for (const return_to of ['', '//attacker.example', 'https://attacker.example', '/\\\\attacker.example']) {
      const body = new URLSearchParams({ return_to })
      const reset = await fetch(`${stack.info.base_url}/_local/clock/reset`, {
        method: 'POST',
        body,
        redirect: 'manual',
      })
      expect([return_to, reset.status]).toEqual([return_to, 200])
    }
  })

  it.each([
    [59, undefined],
    [60, 'The local clock is 1 minute ahead'],
    [7200, 'The local clock is 2 hours ahead'],
    [32 * 86_400 + 5, 'The local clock is 32 days ahead'],
  ])('ahead by %d s is: %s', (seconds, notice) => {
    expect(clockNotice(seconds)).toBe(notice)
  })
})

describe('The emulator’s catalog', () => {
  const offers = async () => {
    const [prices, codes] = await Promise.all([client.stripe.prices.list(), client.stripe.promotionCodes.list()])
    return [prices.data.map(({ lookup_key }) => lookup_key).sort(), codes.data.map(({ code }) => code).sort()]
  }
  const catalog = [
    catalogProducts.map(({ planCode }) => planCode).sort(),
    catalogCoupons.map(({ promotionCode }) => promotionCode).sort(),
  ]

  it('exists at the start and after a reset', async () => {
    expect(await offers()).toEqual(catalog)
    const reset = await fetch(`${stack.info.stripe.api_base}/_emulator/reset`, { method: 'POST' })
    expect(reset.status).toBe(200)
    expect(await offers()).toEqual(catalog)
  })

  it('is created without an entry in the list of requests', async () => {
    await fetch(`${stack.info.stripe.api_base}/_emulator/reset`, { method: 'POST' })
    const response = await fetch(`${stack.info.stripe.api_base}/_emulator/requests`)
    expect(await response.json()).toEqual({ requests: [] })
  })
})

describe('Closing a stack', () => {
  it('stops every server and restores the environment', async () => {
    expect(process.env.ACCOUNTS_TABLE).toBeDefined()
    await stack.close()
    for (const address of addressesOf(stack.info)) expect(await isListening(address)).toBe(false)
    expect(process.env.ACCOUNTS_TABLE).toBeUndefined()
    expect(process.env.STRIPE_API_BASE).toBeUndefined()
  })
})
