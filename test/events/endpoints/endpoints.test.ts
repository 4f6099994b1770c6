import { afterEach, describe, expect, it } from '@jest/globals'
import { webhookUrl as hook } from '../../../infra/local/samples/sampleWebhooks.ts'
import { endpointAnswer, useEndpoints } from './useEndpoints.ts'

const { bed, send, pathOf, open, listOf, entriesOf, itemOf, secretsOf, api } = useEndpoints()
afterEach(() => bed.stack.dynamoDb.reset())

describe('POST /api/organizations/{id}/webhook-endpoints', () => {
  // [threat 135]
  it('answers the secret once, and stores it encrypted for the organization', async () => {
    const { organizationId, endpoint, path } = await open({ description: 'Device manager' })
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await secretsOf(organizationId, endpoint.id)).toEqual([endpoint.secret])
    const resource = {
      id: endpoint.id,
      url: hook,
      description: 'Device manager',
      event_types: null,
      enabled: true,
      disabled_reason: null,
      created_at: expect.any(String),
    }
    expect(await send('GET', path)).toEqual({ status: 200, body: resource })
    const { body } = await send('GET', pathOf(organizationId))
    expect(body).toEqual({ webhook_endpoints: [resource], next_cursor: null })
    expect(JSON.stringify(await itemOf(organizationId, endpoint.id))).not.toContain(endpoint.secret)
  })

  it('is in the audit log with its host, and without the rest of its URL', async () => {
    const url = 'https://hooks.localhost:8443/in?key=hidden'
    const { organizationId, endpoint } = await open({ url, event_types: ['invoice.paid', 'invoice.paid'] })
    const detail = { host: 'hooks.localhost:8443', event_types: ['invoice.paid'] }
    const [entry] = await entriesOf(organizationId)
    expect(entry).toEqual({ action: 'webhook_endpoint.created', target: endpoint.id, detail })
  })

  it('is repeated with its Idempotency-Key: one endpoint, and no second sight of the secret', async () => {
    const organizationId = await api().newOrganization()
    const request = { body: { url: hook }, headers: { 'idempotency-key': 'once' } }
    const first = await send('POST', pathOf(organizationId), request)
    const second = await send('POST', pathOf(organizationId), request)
    expect(second).toEqual({ status: 201, body: { ...(first.body as object), secret: null } })
    expect(await listOf(organizationId)).toHaveLength(1)
  })

  it('shows the secret again, and makes no second endpoint, if the store lost its answer', async () => {
    const organizationId = await api().newOrganization()
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    const { status, body } = await send('POST', pathOf(organizationId), { body: { url: hook } })
    const { id, secret } = endpointAnswer.parse(body)
    expect([status, await secretsOf(organizationId, id)]).toEqual([201, [secret]])
    expect(await listOf(organizationId)).toHaveLength(1)
    expect(await entriesOf(organizationId)).toHaveLength(1)
  })

  it('answers 503 and stores nothing if the store refuses to write', async () => {
    const organizationId = await api().newOrganization()
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    expect((await send('POST', pathOf(organizationId), { body: { url: hook } })).status).toBe(503)
    expect(await listOf(organizationId)).toEqual([])
  })

  it.each([
    ['not a url', 'not an absolute URL'],
    ['ftp://hooks.localhost', 'the URL must begin with https://'],
    ['https://user:word@hooks.localhost', 'the URL must not have a user name or password'],
    ['https://10.0.0.1/in', 'the address of the host is not a public address'],
    ['https://[::ffff:169.254.169.254]/', 'the address of the host is not a public address'],
  ])('refuses %s', async (url, reason) => {
    const answer = await send('POST', pathOf(api().info.demo.organization_id), { body: { url } })
    const problem = { loc: ['body', 'url'], msg: `Value error, ${reason}`, type: 'value_error' }
    expect(answer).toEqual({ status: 422, body: { detail: [problem] } })
  })

  it.each([{ url: hook, event_types: [] }, { url: hook, event_types: ['everything'] }, { description: 'No URL' }])(
    'refuses %j',
    async (body) => {
      expect((await send('POST', pathOf(api().info.demo.organization_id), { body })).status).toBe(422)
    },
  )

  // [threat 136]
  it('refuses the 11th with too_many_endpoints, also of several at once, until one is deleted', async () => {
    const organizationId = await api().newOrganization()
    const create = () => send('POST', pathOf(organizationId), { body: { url: hook } })
    for (let made = 0; made < 8; made += 1) await create()
    await bed.stack.emulator.advance(60)
    const answers = await Promise.all([create(), create(), create(), create()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'too_many_endpoints' })
    const all = await listOf(organizationId)
    expect(all).toHaveLength(10)
    expect((await send('DELETE', `${pathOf(organizationId)}/${all[0]?.id}`)).status).toBe(204)
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(409)
  })

  // [threat 133]
  it('is for owners only, as every request about endpoints', async () => {
    const { organizationId, path } = await open()
    for (const [as, expected] of [
      ['billing_admin', 403],
      ['member', 403],
      ['stranger', 404],
    ] as const) {
      expect((await send('GET', pathOf(organizationId), { as })).status).toBe(expected)
      expect((await send('POST', pathOf(organizationId), { as, body: { url: hook } })).status).toBe(expected)
      expect((await send('GET', path, { as })).status).toBe(expected)
      expect((await send('DELETE', path, { as })).status).toBe(expected)
    }
    expect(await listOf(organizationId)).toHaveLength(1)
  })
})

describe('DELETE /api/organizations/{id}/webhook-endpoints/{id}', () => {
  it('removes the endpoint with its secret, once', async () => {
    const { organizationId, endpoint, path } = await open()
    expect(await send('DELETE', path)).toMatchObject({ status: 204 })
    expect(await itemOf(organizationId, endpoint.id)).toBeUndefined()
    const [entry] = (await entriesOf(organizationId)).filter(({ action }) => action === 'webhook_endpoint.deleted')
    expect(entry).toMatchObject({ target: endpoint.id, detail: { host: 'hooks.localhost' } })
    for (const method of ['DELETE', 'GET'] as const)
      expect(await send(method, path)).toMatchObject({ status: 404, body: { code: 'webhook_endpoint_not_found' } })
  })

  it('answers 503 and deletes nothing if the store refuses to write', async () => {
    const { organizationId, path } = await open()
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    expect((await send('DELETE', path)).status).toBe(503)
    expect(await listOf(organizationId)).toHaveLength(1)
  })

  it('finds no endpoint of another organization', async () => {
    const { endpoint } = await open()
    const other = await api().newOrganization()
    expect((await send('DELETE', `${pathOf(other)}/${endpoint.id}`)).status).toBe(404)
  })
})
