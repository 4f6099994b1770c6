import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { apiClient, serviceToken } from '../../../infra/local/samples/sampleApiClient.ts'
import { loadContract } from '../../../infra/openapi/document.ts'
import { scopes, serviceScopes } from '../../../lib/core/scopes.ts'
import type { Workshop } from '../../oauth/token/forgeries.ts'
import { sendRaw, type Target, targets, useAttackedStack, workshopsOf } from './attackedStack.ts'

const stack = useAttackedStack()
const coded = z.object({ code: z.string().optional() })
const contractOf = new Map<string, Awaited<ReturnType<typeof loadContract>>>()
const protectedTargets = targets.filter(({ needsToken }) => needsToken)

let organizationId: string
let shop: Workshop
let ofApiClient: Workshop
let ofOwner: Workshop

/** Sends a request to an operation, about an organization that nobody of the client's is in. */
async function attack({ path, method }: Target, bearer: string): Promise<readonly [number, string]> {
  const { status, body } = await sendRaw(stack().info.base_url, {
    method,
    path: `${path.replaceAll('4ea16e72-9150-4f9b-b087-5d6cb1cfde05', organizationId)}?organization_id=${organizationId}`,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: method === 'POST' || method === 'PATCH' ? '{}' : '',
  })
  return [status, (body !== '' && coded.parse(JSON.parse(body)).code) || '']
}

const entitlements = (id: string) => `/api/billing/entitlements?organization_id=${id}`

async function read(path: string, bearer: string): Promise<string> {
  const { status, body } = await stack().send({ method: 'GET', path, token: bearer })
  return `${status} ${coded.safeParse(body).data?.code ?? ''}`.trim()
}

beforeAll(async () => {
  for (const target of protectedTargets) contractOf.set(target.name, await loadContract(target))
  organizationId = await stack().newOrganization()
  const { client_id, client_secret } = await apiClient(stack(), organizationId, ['entitlements:read'])
  const body = { grant_type: 'client_credentials', client_id, client_secret }
  const issued = await stack().send({ method: 'POST', path: '/api/oauth/token', body })
  const workshop = await workshopsOf(stack(), 0)
  shop = workshop(await serviceToken(stack()))
  ofApiClient = workshop(z.object({ access_token: z.string() }).parse(issued.body).access_token)
  ofOwner = workshop(await stack().accessToken('owner'))
})

describe('A token of a service client', () => {
  it('is of no organization and no user, and says what it is', () => {
    const { service_client_id: id } = stack().info.demo
    expect(shop.claims).toMatchObject({
      sub: id,
      client_id: id,
      client_kind: 'service',
      scope: serviceScopes.join(' '),
    })
    for (const claim of ['org', 'first_party', 'amr', 'auth_time']) expect(shop.claims).not.toHaveProperty(claim)
    expect(ofApiClient.claims).toMatchObject({ client_kind: 'api_client', org: organizationId })
    expect(ofOwner.claims).not.toHaveProperty('client_kind')
  })

  // [threat 115.1]
  it.each(protectedTargets)('with every scope opens no more than the GETs of its scopes: $name', async (target) => {
    const { forServiceClients, scope } = contractOf.get(target.name) ?? {}
    const answered = await attack(target, shop.token)
    // The ids in the paths of single objects are of none.
    if (forServiceClients) return expect([200, 404, 422]).toContain(answered[0])
    const isGranted = serviceScopes.some((one) => one === scope)
    expect(answered).toEqual([403, isGranted ? 'forbidden' : 'insufficient_scope'])
  })

  // [threat 115.1]
  it.each(serviceScopes)('with %s alone opens the GETs of this scope', async (scope) => {
    const bearer = await serviceToken(stack(), scope)
    const opened: string[] = []
    for (const target of protectedTargets) {
      const [status] = await attack(target, bearer)
      if (status !== 403) opened.push(target.name)
    }
    const expected = protectedTargets.filter(
      ({ name, method }) => method === 'GET' && contractOf.get(name)?.scope === scope,
    )
    expect(opened).toEqual(expected.map(({ name }) => name))
  })

  it('reads every organization, and answers 404 for one that does not exist', async () => {
    const { demo } = stack().info
    for (const id of [organizationId, demo.organization_id, demo.other_organization_id])
      expect(await read(entitlements(id), shop.token)).toBe('200')
    expect(await read(entitlements(randomUUID()), shop.token)).toBe('404 organization_not_found')
    expect(await read(`/api/organizations/${randomUUID()}/members`, shop.token)).toBe('404 organization_not_found')
  })

  it('sees no address of a member', async () => {
    const path = `/api/organizations/${organizationId}/members`
    const { body } = await stack().send({ method: 'GET', path, token: shop.token })
    const { members, invitations } = z
      .object({ members: z.array(z.object({ email: z.string().nullable() })), invitations: z.array(z.unknown()) })
      .parse(body)
    expect([members.map(({ email }) => email), invitations]).toEqual([[null, null, null], []])
  })

  // [threat 115.3]
  it('is its own: signed for another subject, kind, organization, revision or for all rights, it is no token', async () => {
    const { demo } = stack().info
    const { claims, header, sign } = shop
    const path = entitlements(organizationId)
    expect(await read(path, await sign(header, claims))).toBe('200')
    for (const change of [
      { sub: demo.owner.id },
      { sub: ofApiClient.claims.sub },
      { sub: `service_${'0'.repeat(32)}`, client_id: `service_${'0'.repeat(32)}` },
      { client_id: demo.client_id },
      { client_kind: 'api_client' },
      { client_kind: undefined },
      { org: organizationId },
      { first_party: true },
      { rev: 1 },
      { rev: undefined },
    ])
      expect([change, await read(path, await sign(header, { ...claims, ...change }))]).toEqual([
        change,
        '401 invalid_token',
      ])
  })

  // [threat 115.3]
  it('is not what a token of an API client or a user becomes by a claim', async () => {
    const { service_client_id: id, other_organization_id: other } = stack().info.demo
    const { claims } = shop
    for (const { header, sign, claims: own } of [ofApiClient, ofOwner]) {
      for (const change of [
        { client_kind: 'service' },
        { client_kind: 'service', org: undefined },
        { client_kind: 'service', org: undefined, rev: claims.rev },
        { client_kind: 'service', sub: id, org: undefined },
        { sub: id, client_id: id },
      ])
        expect([change, await read(entitlements(other), await sign(header, { ...own, ...change }))]).toEqual([
          change,
          '401 invalid_token',
        ])
    }
  })
})

describe('Introspection of a token of a service client', () => {
  it('says what it is, until the client revokes it: the API then refuses it', async () => {
    const { service_client_id: client_id, service_client_secret: client_secret } = stack().info.demo
    const token = await serviceToken(stack(), 'entitlements:read')
    const inquiry = { client_id, client_secret, token }
    const introspect = () => stack().send({ method: 'POST', path: '/api/oauth/introspect', body: inquiry })
    const { body } = await introspect()
    const said = { active: true, client_kind: 'service', client_id, sub: client_id, scope: 'entitlements:read' }
    expect(body).toMatchObject(said)
    expect(body).not.toHaveProperty('org')
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', path: '/api/oauth/revoke', headers, body: JSON.stringify(inquiry) }
    expect((await sendRaw(stack().info.base_url, request)).status).toBe(200)
    expect([(await introspect()).body, await read(entitlements(organizationId), token)]).toEqual([
      { active: false },
      '401 invalid_token',
    ])
  })
})

describe('A service client at the token endpoint', () => {
  const ask = async (fields: Readonly<Record<string, string>>) => {
    const { service_client_id: client_id, service_client_secret: client_secret } = stack().info.demo
    const body = { client_id, client_secret, grant_type: 'client_credentials', ...fields }
    const answer = await stack().send({ method: 'POST', path: '/api/oauth/token', body })
    return `${answer.status} ${coded.parse(answer.body).code ?? ''}`.trim()
  }

  // [threat 115.2]
  it('gets reading scopes only', async () => {
    for (const scope of [...scopes.filter((one) => !serviceScopes.some((own) => own === one)), '*'])
      expect([scope, await ask({ scope })]).toEqual([scope, '400 invalid_scope'])
    expect(await ask({ scope: 'entitlements:read' })).toBe('200')
  })

  // [threat 115.2]
  it('gets nothing for a user, and nothing with another secret', async () => {
    for (const grant_type of ['authorization_code', 'refresh_token'])
      expect(await ask({ grant_type, code: 'x', refresh_token: 'x' })).toBe('400 unauthorized_client')
    for (const client_secret of ['', 'wrong']) expect(await ask({ client_secret })).toBe('401 invalid_client')
  })
})

describe('The operations for service clients', () => {
  it('are the GETs whose scope they can be granted', () => {
    const named = protectedTargets.filter(({ name }) => contractOf.get(name)?.forServiceClients)
    const expected = protectedTargets.filter(({ name, method }) => {
      const scope = contractOf.get(name)?.scope
      return method === 'GET' && serviceScopes.some((one) => one === scope)
    })
    expect(named).toEqual(expected)
  })
})
