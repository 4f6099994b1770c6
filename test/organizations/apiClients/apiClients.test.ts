import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { resourceScopes } from '../../../lib/core/scopes.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { race, racers } from '../../support/race.ts'
import { created, useApiClients } from './useApiClients.ts'

const { bed, api, send, pathOf, create, requestToken, tokenOf, open, allStored } = useApiClients()
const list = z.object({ api_clients: z.array(z.object({ id: z.string(), last_used_at: z.string().nullable() })) })
const log = z.object({
  entries: z.array(
    z.object({
      action: z.string(),
      target: z.string(),
      actor: z.object({ type: z.string(), id: z.string().nullable() }),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
})
const entitlements = (organizationId: string) => `/api/billing/entitlements?organization_id=${organizationId}`
const clientsOf = async (organizationId: string) =>
  list.parse((await send('GET', pathOf(organizationId), 'owner')).body).api_clients
const entriesOf = async (organizationId: string) =>
  log.parse((await send('GET', `/api/organizations/${organizationId}/audit-log`, 'owner')).body).entries
const statusOf = async (attempt: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await attempt
  return [status, z.object({ code: z.string() }).safeParse(body).data?.code]
}

describe('POST /api/organizations/{id}/api-clients', () => {
  // [threat 113]
  it('answers the secret once: no other answer and no stored item has it', async () => {
    const { organizationId, client } = await open(['billing:read'])
    expect(client.client_secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const items = await allStored()
    expect(items).toContain(digestSecret(client.client_secret))
    expect(items).not.toContain(client.client_secret)
    const { body } = await send('GET', pathOf(organizationId), 'owner')
    expect(body).toEqual({
      api_clients: [
        {
          id: client.id,
          client_id: client.client_id,
          name: 'Nightly export',
          scopes: ['billing:read'],
          created_at: expect.any(String),
          last_used_at: expect.any(String),
          previous_secret_valid_until: null,
        },
      ],
      next_cursor: null,
    })
  })

  it('creates one for many requests at once with the same Idempotency-Key, whose secret one of them has', async () => {
    const organizationId = await api().newOrganization()
    const token = await api().accessToken('owner')
    const request = {
      method: 'POST',
      path: pathOf(organizationId),
      token,
      body: { name: 'Once', scopes: ['billing:read'] },
      headers: { 'idempotency-key': 'once' },
    } as const
    const answers = await race(() => api().sendForHeaders(request))
    const [only] = await clientsOf(organizationId)
    expect(await clientsOf(organizationId)).toHaveLength(1)
    const bodies = answers.filter(({ status }) => status === 201).map(({ body }) => body)
    for (const { status } of answers) expect([201, 409, 429]).toContain(status)
    for (const body of bodies) expect(body).toMatchObject({ id: only?.id })
    expect(bodies.filter((body) => created.safeParse(body).success)).toHaveLength(1)
    await bed.stack.emulator.advance(60)
    expect(await api().sendForHeaders(request)).toMatchObject({
      status: 201,
      body: { id: only?.id, client_secret: null },
    })
  })

  it('refuses the 21st with too_many_api_clients, also of many at once, until one is deleted', async () => {
    const organizationId = await api().newOrganization()
    const body = { name: 'Many', scopes: ['billing:read'] }
    for (const round of [10, 8, 7]) {
      await bed.stack.emulator.advance(60)
      await Promise.all(Array.from({ length: round }, () => send('POST', pathOf(organizationId), 'owner', body)))
    }
    const all = await clientsOf(organizationId)
    expect(all).toHaveLength(20)
    await bed.stack.emulator.advance(60)
    expect(await statusOf(send('POST', pathOf(organizationId), 'owner', body))).toEqual([409, 'too_many_api_clients'])
    await send('DELETE', `${pathOf(organizationId)}/${all[0]?.id}`, 'owner')
    expect(await statusOf(send('POST', pathOf(organizationId), 'owner', body))).toEqual([201, undefined])
  })

  // [threat 114]
  it('is for owners: billing admins list and change nothing, members see nothing, strangers find nothing', async () => {
    const { organizationId, client } = await open(['billing:read'])
    const one = `${pathOf(organizationId)}/${client.id}`
    const body = { name: 'Mine', scopes: ['billing:read'] }
    for (const [by, read, write] of [
      ['billing_admin', 200, 403],
      ['member', 403, 403],
      ['stranger', 404, 404],
    ] as const) {
      expect((await send('GET', pathOf(organizationId), by)).status).toBe(read)
      expect((await send('POST', pathOf(organizationId), by, body)).status).toBe(write)
      expect((await send('POST', `${one}/rotate`, by)).status).toBe(write)
      expect((await send('DELETE', one, by)).status).toBe(write)
    }
    expect(await clientsOf(organizationId)).toHaveLength(1)
    expect((await requestToken(client)).status).toBe(200)
  })
})

describe('POST /api/organizations/{id}/api-clients/{id}/rotate', () => {
  // [threat 111]
  it('keeps the old secret for 24 hours beside the new one, and tokens for as long as they live', async () => {
    const { organizationId, client, token } = await open(['entitlements:read'])
    const rotate = () => send('POST', `${pathOf(organizationId)}/${client.id}/rotate`, 'owner')
    const newer = created.parse((await rotate()).body)
    expect(newer.previous_secret_valid_until).not.toBeNull()
    expect((await send('GET', entitlements(organizationId), { token })).status).toBe(200)
    for (const credentials of [client, newer]) expect((await requestToken(credentials)).status).toBe(200)
    expect(await statusOf(rotate())).toEqual([409, 'api_client_rotating'])
    await bed.stack.emulator.advance(24 * 60 * 60 - 10)
    expect((await requestToken(client)).status).toBe(200)
    await bed.stack.emulator.advance(12)
    expect(await statusOf(requestToken(client))).toEqual([401, 'invalid_client'])
    expect((await requestToken(newer)).status).toBe(200)
    expect((await rotate()).status).toBe(200)
  })

  // [threat 30.7b]
  it('ends every earlier secret with expire_previous now, also during a rotation, and says so in the audit log', async () => {
    const { organizationId, client } = await open(['entitlements:read'])
    const rotate = async (body?: unknown) =>
      created.parse((await send('POST', `${pathOf(organizationId)}/${client.id}/rotate`, 'owner', body)).body)
    const second = await rotate()
    const third = await rotate({ expire_previous: 'now' })
    expect(third.previous_secret_valid_until).toBeNull()
    for (const credentials of [client, second]) {
      expect(await statusOf(requestToken(credentials))).toEqual([401, 'invalid_client'])
    }
    expect((await requestToken(third)).status).toBe(200)
    expect((await rotate({ expire_previous: '24h' })).previous_secret_valid_until).not.toBeNull()
    expect((await requestToken(third)).status).toBe(200)
    const details = (await entriesOf(organizationId)).filter(({ action }) => action === 'api_client.rotated')
    expect(details.map(({ detail }) => detail.expire_previous)).toEqual(['24h', 'now', '24h'])
  })

  it('keeps the old secret for an hour with expire_previous 1h', async () => {
    const { organizationId, client } = await open(['entitlements:read'])
    const rotate = (body: unknown) => send('POST', `${pathOf(organizationId)}/${client.id}/rotate`, 'owner', body)
    expect((await rotate({ expire_previous: '1h' })).status).toBe(200)
    await bed.stack.emulator.advance(60 * 60 - 10)
    expect((await requestToken(client)).status).toBe(200)
    await bed.stack.emulator.advance(12)
    expect(await statusOf(requestToken(client))).toEqual([401, 'invalid_client'])
    expect((await rotate({ expire_previous: 'later' })).status).toBe(422)
  })
})

describe('DELETE /api/organizations/{id}/api-clients/{id}', () => {
  // [threat 110]
  it('ends its tokens at the next request of every operation that they could call, and its secrets', async () => {
    const { organizationId, client, token } = await open(resourceScopes)
    const reads = ['entitlements', 'subscriptions', 'products'].map(
      (what) => `/api/billing/${what}?organization_id=${organizationId}`,
    )
    reads.push(`/api/organizations/${organizationId}/members`)
    for (const path of reads) expect([path, (await send('GET', path, { token })).status]).toEqual([path, 200])
    expect((await send('DELETE', `${pathOf(organizationId)}/${client.id}`, 'owner')).status).toBe(204)
    for (const path of reads) expect(await statusOf(send('GET', path, { token }))).toEqual([401, 'invalid_token'])
    const intent = `/api/billing/card-gateway/setup-intent?organization_id=${organizationId}`
    expect(await statusOf(send('POST', intent, { token }))).toEqual([401, 'invalid_token'])
    expect(await statusOf(requestToken(client))).toEqual([401, 'invalid_client'])
    const again = send('DELETE', `${pathOf(organizationId)}/${client.id}`, 'owner')
    expect(await statusOf(again)).toEqual([404, 'api_client_not_found'])
  })

  // [threat 110]
  it('leaves no token that works where it races with token requests', async () => {
    const { organizationId, client } = await open(['entitlements:read'])
    const [, ...answers] = await Promise.all([
      send('DELETE', `${pathOf(organizationId)}/${client.id}`, 'owner'),
      ...Array.from({ length: racers }, () => requestToken(client)),
    ])
    const tokens = answers.flatMap(({ body }) => z.object({ access_token: z.string() }).safeParse(body).data ?? [])
    for (const { access_token: token } of tokens) {
      expect((await send('GET', entitlements(organizationId), { token })).status).toBe(401)
    }
    // Noting a use brought nothing back.
    expect(await clientsOf(organizationId)).toEqual([])
  })
})

describe('A token of an API client', () => {
  // [threat 104]
  it('is for its own organization: another one is not found, as for a stranger', async () => {
    const { token } = await open(resourceScopes)
    const { other_organization_id: foreign } = api().info.demo
    const paths = ['entitlements', 'subscriptions', 'invoices', 'details', 'payment-methods'].map(
      (what) => `/api/billing/${what}?organization_id=${foreign}`,
    )
    for (const path of [...paths, `/api/organizations/${foreign}/members`]) {
      expect([path, ...(await statusOf(send('GET', path, { token })))]).toEqual([path, 404, 'organization_not_found'])
    }
    const cancel = send('POST', `/api/billing/cancel?organization_id=${foreign}`, { token }, { product: 'ota' })
    expect(await statusOf(cancel)).toEqual([404, 'organization_not_found'])
  })

  it('calls what its scopes name and nothing else, and nothing of users or owners', async () => {
    const { organizationId, token } = await open(['entitlements:read'])
    expect((await send('GET', entitlements(organizationId), { token })).status).toBe(200)
    for (const path of [
      `/api/billing/subscriptions?organization_id=${organizationId}`,
      `/api/organizations/${organizationId}/members`,
      `/api/organizations/${organizationId}`,
      `/api/organizations/${organizationId}/audit-log`,
      pathOf(organizationId),
      '/api/organizations',
      '/api/users/me',
    ]) {
      expect([path, ...(await statusOf(send('GET', path, { token })))]).toEqual([path, 403, 'insufficient_scope'])
    }
  })

  it('sees no address of a member', async () => {
    const { organizationId, token } = await open(['members:read'])
    const { status, body } = await send('GET', `/api/organizations/${organizationId}/members`, { token })
    const { members, invitations } = z
      .object({ members: z.array(z.object({ email: z.string().nullable() })), invitations: z.array(z.unknown()) })
      .parse(body)
    expect([status, members.map(({ email }) => email), invitations]).toEqual([200, [null, null, null], []])
  })

  it('reads the audit log with audit_log:read: a page as JSON, or all that the filters leave as lines', async () => {
    const { organizationId, token } = await open(['audit_log:read'])
    const path = `/api/organizations/${organizationId}/audit-log`
    const { status, body } = await send('GET', path, { token })
    const { entries } = z.object({ entries: z.array(z.record(z.string(), z.unknown())) }).parse(body)
    expect([status, entries.map(({ action }) => action)]).toEqual([200, ['api_client.created']])
    const lines = async (query: string, accept: string) => {
      const headers = { authorization: `Bearer ${token}`, accept }
      const response = await fetch(`${api().info.base_url}${path}${query}`, { headers })
      return [response.status, response.headers.get('content-type'), await response.text()]
    }
    const whole = `${JSON.stringify(entries[0])}\n`
    const type = 'application/x-ndjson'
    expect(await lines('?limit=1', 'text/csv;q=0.1, Application/X-NDJSON; q=0.9')).toEqual([200, type, whole])
    expect(await lines('?action=member.joined', type)).toEqual([200, type, ''])
    expect(await lines('?action=member.flew', type)).toEqual([422, 'application/json', expect.any(String)])
    expect(await lines('', '*/*')).toEqual([200, 'application/json', JSON.stringify(body)])
  })

  it('buys and cancels with billing:write, and the audit log says that the client did', async () => {
    const { organizationId, client, token } = await open(['billing:read', 'billing:write'])
    const card = await api().addCard({ token, organizationId, testCard: 'pm_card_visa' })
    await api().deliverWebhooks()
    const order = { product_codes: ['base_ota'], payment_method_id: card }
    const bought = await send('POST', `/api/billing/checkout?organization_id=${organizationId}`, { token }, order)
    expect(bought.status).toBe(201)
    await api().deliverWebhooks()
    const order2 = { product: 'ota', at_period_end: true }
    const canceled = await send('POST', `/api/billing/cancel?organization_id=${organizationId}`, { token }, order2)
    expect(canceled.status).toBe(200)
    const actors = (await entriesOf(organizationId)).map(({ action, actor }) => [action, actor.type, actor.id])
    // The event of the card may be projected before the purchase or after it.
    expect(actors.toSorted()).toEqual([
      ['api_client.created', 'user', api().info.demo.owner.id],
      ['payment_method.default_changed', 'client', client.client_id],
      ['subscription.cancellation_scheduled', 'client', client.client_id],
      ['subscription.purchased', 'client', client.client_id],
    ])
  })

  it('redeems a coupon once, as a user does', async () => {
    const { organizationId, token } = await open(['billing:write'])
    const coupon = (await api().stripe.coupons.create({ percent_off: 25, duration: 'once' })).id
    const card = await api().addCard({ token, organizationId, testCard: 'pm_card_visa' })
    const buy = async (plan: string) => {
      const body = { product_codes: [plan], payment_method_id: card, coupon_code: coupon }
      return (await send('POST', `/api/billing/checkout?organization_id=${organizationId}`, { token }, body)).body
    }
    expect(await buy('base_ota')).toMatchObject([{ ok: true }])
    expect(await buy('addon_monitoring')).toMatchObject([{ ok: false }])
  })

  it('is introspected and revoked by its client, and refused from then on', async () => {
    const { organizationId, client, token } = await open(['entitlements:read'])
    const { client_id, client_secret } = client
    const inquiry = { client_id, client_secret, token }
    const introspect = () => api().send({ method: 'POST', path: '/api/oauth/introspect', body: inquiry })
    expect((await introspect()).body).toMatchObject({
      active: true,
      sub: client_id,
      client_id,
      org: organizationId,
      client_kind: 'api_client',
      scope: 'entitlements:read',
    })
    const revoke = await fetch(`${api().info.base_url}/api/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(inquiry),
    })
    expect(revoke.status).toBe(200)
    expect((await introspect()).body).toEqual({ active: false })
    expect((await send('GET', entitlements(organizationId), { token })).status).toBe(401)
    expect((await send('GET', entitlements(organizationId), { token: await tokenOf(client) })).status).toBe(200)
  })
})

describe('grant_type=client_credentials', () => {
  it('answers a token of 900 s without a refresh token, with all scopes or those that were asked for', async () => {
    const organizationId = await api().newOrganization()
    const client = await create(organizationId, ['billing:read', 'members:read'])
    expect(await requestToken(client)).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'billing:read members:read',
      },
    })
    expect((await requestToken(client, { scope: 'members:read' })).body).toMatchObject({ scope: 'members:read' })
    expect(await statusOf(requestToken(client, { scope: 'billing:write' }))).toEqual([400, 'invalid_scope'])
    expect(await statusOf(requestToken({ ...client, client_secret: 'wrong' }))).toEqual([401, 'invalid_client'])
    const code = requestToken(client, { grant_type: 'authorization_code', code: 'x' })
    expect(await statusOf(code)).toEqual([400, 'unauthorized_client'])
  })

  it('is refused to every other client: unauthorized_client', async () => {
    const { client_id, client_secret, public_client_id } = api().info.demo
    for (const credentials of [
      { client_id, client_secret },
      { client_id: public_client_id, client_secret: '' },
    ]) {
      expect(await statusOf(requestToken(credentials))).toEqual([400, 'unauthorized_client'])
    }
  })

  // [catch handleTokenRequest.clientCredentialsGrant]
  it('answers a token also where the use cannot be noted', async () => {
    const client = await create(await api().newOrganization(), ['billing:read'])
    bed.stack.dynamoDb.fail({ operation: 'UpdateItem', times: 9, kind: 'drop_before' })
    expect((await requestToken(client)).status).toBe(200)
    bed.stack.dynamoDb.reset()
  })

  it('answers 503 where the client cannot be read or KMS does not sign: no token, and nothing noted', async () => {
    const organizationId = await api().newOrganization()
    const client = await create(organizationId, ['billing:read'])
    bed.stack.dynamoDb.fail({ operation: 'GetItem', times: 9, kind: 'drop_before' })
    expect((await requestToken(client)).status).toBe(503)
    bed.stack.dynamoDb.reset()
    bed.stack.kms.fail({ operation: 'Sign', times: 9, kind: 'drop_before' })
    expect((await requestToken(client)).status).toBe(503)
    bed.stack.kms.reset()
    expect((await clientsOf(organizationId))[0]?.last_used_at).toBeNull()
  })

  // [catch writeItem.updateItem]
  it('notes when the client was last used, once an hour', async () => {
    const organizationId = await api().newOrganization()
    const client = await create(organizationId, ['billing:read'])
    const lastUse = async () => (await clientsOf(organizationId))[0]?.last_used_at
    expect(await lastUse()).toBeNull()
    await requestToken(client)
    const first = await lastUse()
    await bed.stack.emulator.advance(3500)
    await requestToken(client)
    expect(await lastUse()).toBe(first)
    await bed.stack.emulator.advance(200)
    await requestToken(client)
    expect(await lastUse()).not.toBe(first)
  })
})
