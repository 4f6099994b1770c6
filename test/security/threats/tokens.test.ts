import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { demoPublicClient } from '../../../infra/data/demo.ts'
import { resetToken, samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { VERIFIER } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { forgeries, type Workshop } from '../../oauth/token/forgeries.ts'
import { signInAndAllow } from '../../signIn/hosted/walk.ts'
import { createEmulator } from '../../support/emulator.ts'
import { authorizationQuery, sendRaw, targets, useAttackedStack, workshopsOf } from './attackedStack.ts'

const stack = useAttackedStack()
const operations = targets.filter(({ needsToken }) => needsToken)

/** One forgery of each kind: all of them are tried at one operation by test/oauth/token/forgedTokens.test.ts. */
const kinds = [
  'alg "none" without a signature',
  'HS256 with the public key in PEM as the secret',
  'a key of the forger’s under our kid',
  'a key of the forger’s in the header as jwk',
  'a kid that is a path',
  'typ JWT',
  'expired',
  'another iss',
  'another aud',
  'another sub under the genuine signature',
]

let shop: Workshop
let forged: { kind: string; token: string }[]

beforeAll(async () => {
  const { info, accessToken } = stack()
  const now = await createEmulator(info.stripe.api_base).now()
  shop = (await workshopsOf(stack(), now))(await accessToken('owner'))
  forged = await Promise.all(kinds.map(async (kind) => ({ kind, token: (await forgeries[kind]?.(shop)) ?? '' })))
})

/** What an operation answers to these credentials, whatever else it would ask for. */
async function present({ method, path }: { method: string; path: string }, authorization: string) {
  const { status, headers } = await sendRaw(stack().info.base_url, { method, path, headers: { authorization } })
  return { status, challenge: headers['www-authenticate'] }
}

const invalidToken = { status: 401, challenge: 'Bearer error="invalid_token"' }

describe('A forged access token', () => {
  it('is refused for what is forged in it: one that is signed anew and has no fault is let in', async () => {
    expect(operations.length).toBeGreaterThan(30)
    const good = await shop.sign(shop.header, shop.claims)
    for (const operation of operations.filter(({ method }) => method === 'GET'))
      expect((await present(operation, `Bearer ${good}`)).status).not.toBe(401)
  })

  // [threat 48]
  it.each(operations)('is refused by $name: $method $path', async (operation) => {
    for (const { kind, token } of forged) {
      expect(token).not.toBe('')
      expect({ kind, ...(await present(operation, `Bearer ${token}`)) }).toEqual({ kind, ...invalidToken })
    }
  })
})

/** A person's own sign-in at the hosted pages, with all the secrets that it leaves in their hands. */
async function secretsOfOne() {
  const account = await signUp(stack())
  const visitor = new Visitor(stack().info.base_url)
  const link = `${stack().info.base_url}/api/oauth/authorize?${authorizationQuery(stack())}`
  const callback = await signInAndAllow(visitor, link, account.email)
  return { account, session: visitor.cookie?.split('=')[1] ?? '', code: callback.searchParams.get('code') ?? '' }
}

/** A form to the token endpoint, by the demo's client unless it names another. */
async function requestTokens(fields: Readonly<Record<string, string>>) {
  const { client_id, client_secret, redirect_uri } = stack().info.demo
  const body = new URLSearchParams({ client_id, client_secret, redirect_uri, ...fields }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await sendRaw(stack().info.base_url, { method: 'POST', path: '/api/oauth/token', headers, body })
  const { error, refresh_token = '' } = z
    .object({ error: z.string(), refresh_token: z.string() })
    .partial()
    .parse(JSON.parse(answer.body))
  return { status: answer.status, error, refresh_token }
}

const invalidGrant = { status: 400, error: 'invalid_grant' }

describe('A genuine secret in the place of another', () => {
  // [threat 39]
  it('is no access token: a code, a refresh token, a session, a client’s secret, the token of a link', async () => {
    const { account, session, code } = await secretsOfOne()
    const { refresh_token } = await stack().signIn('member')
    const reset = await resetToken(stack(), account)
    for (const secret of [session, code, refresh_token, stack().info.demo.client_secret, reset]) {
      expect(secret.length).toBeGreaterThan(20)
      expect(await present({ method: 'GET', path: '/api/users/me' }, `Bearer ${secret}`)).toEqual(invalidToken)
    }
  })

  // [threat 40]
  it('is no grant, and burns nothing: an access token, a session, the token of a link, a code as a refresh token and the other way round', async () => {
    const { account, session, code } = await secretsOfOne()
    const { refresh_token } = await stack().signIn('member')
    const others = [account.accessToken, session, await resetToken(stack(), account)]
    for (const secret of [...others, code])
      expect(await requestTokens({ grant_type: 'refresh_token', refresh_token: secret })).toMatchObject(invalidGrant)
    for (const secret of [...others, refresh_token]) {
      const exchange = { grant_type: 'authorization_code', code: secret, code_verifier: 'a'.repeat(43) }
      expect(await requestTokens(exchange)).toMatchObject(invalidGrant)
    }
    expect(await requestTokens({ grant_type: 'refresh_token', refresh_token })).toMatchObject({ status: 200 })
  })

  // [threat 41]
  it('is no token of a link: one of another purpose, a code, an access token', async () => {
    const { account, code } = await secretsOfOne()
    const { accessToken } = account
    for (const token of [code, accessToken, account.token]) {
      const body = { token, password: 'the password of a thief 7c' }
      const { status } = await stack().send({ method: 'POST', path: '/api/auth/password/reset', body })
      expect([400, 422]).toContain(status)
    }
    const token = await resetToken(stack(), account)
    const others = [
      { method: 'POST', path: '/api/auth/verify', body: { token, password: samplePassword } },
      { method: 'POST', path: '/api/users/me/email/confirm', body: { token, password: samplePassword } },
      { method: 'POST', path: '/api/organizations/invitations/accept', body: { token }, token: accessToken },
    ] as const
    for (const other of others) expect(await stack().send(other)).toMatchObject({ status: 400 })
  })

  // [threat 42]
  it('is no session: a code, an access token and a planted value lead to the sign-in form', async () => {
    const { account, code } = await secretsOfOne()
    const path = `/api/oauth/authorize?${authorizationQuery(stack())}`
    for (const value of [code, account.accessToken, 'A'.repeat(43)]) {
      const headers = { cookie: `__Host-session=${value}` }
      const { status, body } = await sendRaw(stack().info.base_url, { path, headers })
      expect(status).toBe(200)
      expect(body).toContain('type="password"')
    }
  })

  // [threat 43]
  it('is no other client’s: a code and a refresh token stay good for their own client alone', async () => {
    const { code } = await secretsOfOne()
    const mine = { grant_type: 'authorization_code', code, code_verifier: VERIFIER }
    const thief = { client_id: demoPublicClient.clientId, client_secret: '' }
    expect(await requestTokens({ ...mine, ...thief })).toMatchObject(invalidGrant)
    const { status, refresh_token } = await requestTokens(mine)
    expect(status).toBe(200)
    const refresh = { grant_type: 'refresh_token', refresh_token }
    expect(await requestTokens({ ...refresh, ...thief })).toMatchObject(invalidGrant)
    expect(await requestTokens(refresh)).toMatchObject({ status: 200 })
  })
})
