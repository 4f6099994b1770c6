import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { apiClient } from '../../../infra/local/samples/sampleApiClient.ts'
import { apiClientIdOf, organizationIdSchema } from '../../../lib/core/ids.ts'
import { scopes } from '../../../lib/core/scopes.ts'
import { VERIFIER } from '../../oauth/authorize/people.ts'
import type { Workshop } from '../../oauth/token/forgeries.ts'
import { authorizationQuery, sendRaw, targets, useAttackedStack, workshopsOf } from './attackedStack.ts'

const stack = useAttackedStack()
const answer = z.object({ access_token: z.string(), scope: z.string() })
const coded = z.object({ code: z.string().optional() })

let organizationId: string
let client: Awaited<ReturnType<typeof apiClient>>
/** Of a client that may only read entitlements. */
let token: string
let shop: Workshop
let owners: Workshop

const credentials = () => ({ client_id: client.client_id, client_secret: client.client_secret })

/** Answers the status with the error's code, or with the scope that was granted. */
async function ask(fields: Readonly<Record<string, string>>): Promise<string> {
  const { status, body } = await stack().send({ method: 'POST', path: '/api/oauth/token', body: fields })
  return `${status} ${answer.safeParse(body).data?.scope ?? coded.parse(body).code}`
}

async function statusOf(path: string, bearer: string): Promise<string> {
  const { status, body } = await stack().send({ method: 'GET', path, token: bearer })
  return `${status} ${coded.safeParse(body).data?.code ?? ''}`.trim()
}

const entitlements = (id: string) => `/api/billing/entitlements?organization_id=${id}`

beforeAll(async () => {
  const { accessToken, newOrganization } = stack()
  organizationId = await newOrganization()
  client = await apiClient(stack(), organizationId, ['entitlements:read'])
  const request = { ...credentials(), grant_type: 'client_credentials' }
  token = answer.parse(
    (await stack().send({ method: 'POST', path: '/api/oauth/token', body: request })).body,
  ).access_token
  const workshop = await workshopsOf(stack(), 0)
  shop = workshop(token)
  owners = workshop(await accessToken('owner'))
})

describe('An API client at the token endpoint', () => {
  // [threat 105]
  it.each([
    ...scopes.filter((scope) => scope !== 'entitlements:read'),
    ...['*', 'admin', 'Entitlements:read', 'entitlements:write', 'entitlements:read\u00a0billing:write'],
  ])('gets no scope that it was not created with: %s', async (scope) => {
    const request = { ...credentials(), grant_type: 'client_credentials' }
    for (const asked of [scope, `entitlements:read ${scope}`])
      expect([asked, await ask({ ...request, scope: asked })]).toEqual([asked, '400 invalid_scope'])
    expect(await ask({ ...request, scope: 'entitlements:read' })).toBe('200 entitlements:read')
  })

  // [threat 107]
  it('is no other organization’s by its secret, and none without it', async () => {
    const other = await apiClient(stack(), await stack().newOrganization())
    const grant_type = 'client_credentials'
    const moved = apiClientIdOf(organizationIdSchema.parse(stack().info.demo.other_organization_id), client.id)
    for (const client_id of [other.client_id, moved, moved.toUpperCase(), client.id])
      expect(await ask({ ...credentials(), client_id, grant_type })).toBe('401 invalid_client')
    for (const client_secret of ['', other.client_secret, `${client.client_secret}A`])
      expect(await ask({ ...credentials(), client_secret, grant_type })).toBe('401 invalid_client')
  })

  // [threat 108]
  it('gets nothing for a user: neither a code nor a refresh token of another client, which stay good', async () => {
    const { info, authorizationCode, exchange } = stack()
    const code = await authorizationCode('owner')
    const { redirect_uri } = info.demo
    const asClient = { ...credentials(), grant_type: 'authorization_code', code, redirect_uri, code_verifier: VERIFIER }
    expect(await ask(asClient)).toBe('400 unauthorized_client')
    const { refresh_token } = await exchange(code)
    const refresh = { ...credentials(), grant_type: 'refresh_token', refresh_token: refresh_token ?? '' }
    expect(await ask(refresh)).toBe('400 unauthorized_client')
  })
})

describe('An API client at the authorization endpoint', () => {
  // [threat 108]
  it.each(['', 'http://127.0.0.1:9/callback', 'https://attacker.example/'])(
    'gets an error page, no redirect and no code: %j',
    async (redirect_uri) => {
      const query = authorizationQuery(stack(), { client_id: client.client_id, redirect_uri })
      const { status, headers } = await sendRaw(stack().info.base_url, { path: `/api/oauth/authorize?${query}` })
      expect([status, headers.location]).toEqual([400, undefined])
    },
  )
})

describe('A token of an API client', () => {
  // [threat 106]
  it.each(targets.filter(({ needsToken }) => needsToken))(
    'that reads entitlements opens nothing else: $name',
    async (target) => {
      const { name, method } = target
      const path = target.path.replaceAll('4ea16e72-9150-4f9b-b087-5d6cb1cfde05', organizationId)
      const { status, body } = await sendRaw(stack().info.base_url, {
        method,
        path: `${path}?organization_id=${organizationId}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: method === 'POST' || method === 'PATCH' ? '{}' : '',
      })
      if (name === 'billing-entitlements') return expect(status).toBe(200)
      const { code } = coded.parse(JSON.parse(body))
      expect([status, code]).toEqual([403, 'insufficient_scope'])
    },
  )

  // [threat 109]
  it('is its own: signed for another subject, organization, client or for all rights, it is no token', async () => {
    const { demo } = stack().info
    const { claims, header, sign } = shop
    const path = entitlements(organizationId)
    expect(await statusOf(path, await sign(header, claims))).toBe('200')
    const other = (await apiClient(stack(), await stack().newOrganization())).client_id
    for (const change of [
      { sub: demo.owner.id },
      { sub: other },
      { client_id: other },
      { client_id: demo.client_id },
      { org: demo.other_organization_id },
      { org: undefined },
      { first_party: true },
      { sub: organizationId },
    ]) {
      const bearer = await sign(header, { ...claims, ...change })
      expect([change, await statusOf(path, bearer)]).toEqual([change, '401 invalid_token'])
    }
  })

  // [threat 109]
  it('and a user’s are never read as each other', async () => {
    const { claims, header, sign } = owners
    const path = entitlements(organizationId)
    const asOwner = await sign(header, { ...claims, org: stack().info.demo.other_organization_id })
    expect(await statusOf(path, asOwner)).toBe('200')
    expect(await statusOf(entitlements(stack().info.demo.other_organization_id), asOwner)).toBe(
      '404 organization_not_found',
    )
    for (const change of [
      { sub: client.client_id },
      { sub: client.client_id, client_id: client.client_id },
      { sub: client.client_id, client_id: client.client_id, org: organizationId },
    ]) {
      const bearer = await sign(header, { ...claims, ...change })
      expect([change, await statusOf(path, bearer)]).toEqual([change, '401 invalid_token'])
    }
  })
})
