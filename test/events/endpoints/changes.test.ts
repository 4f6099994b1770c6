import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { webhookUrl } from '../../../infra/local/samples/sampleWebhooks.ts'
import { createEndpointDeliveries } from '../../../lib/adapters/dynamodb/endpointDeliveryStore.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { newDelivery } from '../../../lib/events/newDelivery.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import { setAttributes } from '../../support/setAttributes.ts'
import { useEndpoints } from './useEndpoints.ts'

const { bed, api, send, open, entriesOf, itemOf, secretsOf, deliveriesOf } = useEndpoints()
afterEach(() => bed.stack.dynamoDb.reset())

const received: string[] = []
const receiver = await listenOnLoopback(
  createServer(async (request, response) => {
    received.push((await request.setEncoding('utf8').toArray()).join(''))
    response.end('thanks')
  }),
)
afterAll(() => receiver.close())

const deliveryAnswer = z.object({ id: z.string() })

/** Stores what delivery notes about an endpoint. */
async function note(organizationId: string, id: string, members: Record<string, unknown>): Promise<void> {
  const key = { pk: `ORG#${organizationId}`, sk: `ENDPOINT#${id}` }
  await setAttributes(bed.stack.documents, api().info.tables.events, key, members)
}

const failing = { failingSince: 1, slowUntil: 2, turn0: 3 }

describe('PATCH /api/organizations/{id}/webhook-endpoints/{id}', () => {
  it('changes what it names, and says in the audit log what that was', async () => {
    const { organizationId, endpoint, path } = await open({ event_types: ['invoice.paid'] })
    const change = { description: 'Accounting', event_types: null }
    const { status, body } = await send('PATCH', path, { body: change })
    expect([status, body]).toEqual([200, expect.objectContaining({ ...change, url: webhookUrl, enabled: true })])
    expect((await send('GET', path)).body).toEqual(body)
    const entries = (await entriesOf(organizationId)).filter(({ action }) => action === 'webhook_endpoint.updated')
    const detail = { host: 'hooks.localhost', event_types: null, changed: ['event_types', 'description'] }
    expect(entries).toEqual([{ action: 'webhook_endpoint.updated', target: endpoint.id, detail }])
  })

  it('writes nothing if nothing differs', async () => {
    const { organizationId, path } = await open()
    for (const body of [{}, { enabled: true, url: webhookUrl, event_types: null, description: '' }])
      expect((await send('PATCH', path, { body })).status).toBe(200)
    expect(await entriesOf(organizationId)).toHaveLength(1)
  })

  it.each([{ url: 'https://hooks.localhost/other' }, { enabled: true }])(
    'forgets the failures of an endpoint that was disabled: %j',
    async (body) => {
      const { organizationId, endpoint, path } = await open()
      await note(organizationId, endpoint.id, { ...failing, enabled: false, disabledReason: 'gone' })
      expect((await send('GET', path)).body).toMatchObject({ enabled: false, disabled_reason: 'gone' })
      expect((await send('PATCH', path, { body })).body).toMatchObject({ ...body, disabled_reason: null })
      const item = await itemOf(organizationId, endpoint.id)
      expect(Object.keys(item ?? {})).not.toEqual(expect.arrayContaining(['failingSince']))
      expect(item).toMatchObject({ turn0: 3, enabled: 'enabled' in body })
      expect([item?.failingSince, item?.slowUntil, item?.disabledReason]).toEqual([undefined, undefined, undefined])
    },
  )

  it('leaves what delivery has noted as it is if it changes another member', async () => {
    const { organizationId, endpoint, path } = await open()
    await send('PATCH', path, { body: { enabled: false } })
    await note(organizationId, endpoint.id, { ...failing, disabledReason: 'failing' })
    await send('PATCH', path, { body: { description: 'Accounting' } })
    expect(await itemOf(organizationId, endpoint.id)).toMatchObject({ ...failing, disabledReason: 'failing' })
  })

  it('leaves a failing endpoint failing if only its description changes', async () => {
    const { organizationId, endpoint, path } = await open()
    await note(organizationId, endpoint.id, failing)
    await send('PATCH', path, { body: { description: 'Accounting' } })
    expect(await itemOf(organizationId, endpoint.id)).toMatchObject({ ...failing, description: 'Accounting' })
  })

  it('keeps both changes of two owners at once', async () => {
    const { path } = await open()
    const changes = [{ description: 'Accounting' }, { event_types: ['invoice.paid'] }, { url: `${webhookUrl}/2` }]
    await Promise.all(changes.map((body) => send('PATCH', path, { body })))
    expect((await send('GET', path)).body).toMatchObject(Object.assign({}, ...changes))
  })

  it('ends what is pending at an endpoint that it disables', async () => {
    const { endpoint, path } = await open()
    await send('POST', `${path}/test`)
    expect((await send('PATCH', path, { body: { enabled: false } })).body).toMatchObject({
      enabled: false,
      disabled_reason: null,
    })
    expect((await deliveriesOf(endpoint.id)).map(({ status, dueAt }) => [status, dueAt])).toEqual([
      ['failed', undefined],
    ])
  })

  it('disables an endpoint even if what is pending cannot be ended', async () => {
    const { path } = await open()
    await send('POST', `${path}/test`)
    bed.stack.dynamoDb.fail({ operation: 'Query', times: 3, kind: 'drop_before' })
    expect((await send('PATCH', path, { body: { enabled: false } })).status).toBe(200)
  })

  it('refuses another URL as creation does, and changes nothing', async () => {
    const { path } = await open()
    const answer = await send('PATCH', path, { body: { url: 'https://192.168.0.1', description: 'No' } })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'url'], type: 'value_error' }] } })
    expect((await send('GET', path)).body).toMatchObject({ url: webhookUrl, description: '' })
  })

  it('answers 503 and changes nothing if the store refuses to write', async () => {
    const { organizationId, path } = await open()
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    expect((await send('PATCH', path, { body: { description: 'Accounting' } })).status).toBe(503)
    expect((await send('GET', path)).body).toMatchObject({ description: '' })
    expect(await entriesOf(organizationId)).toHaveLength(1)
  })
})

describe('POST /api/organizations/{id}/webhook-endpoints/{id}/rotate-secret', () => {
  it('answers a new secret, and keeps the former secret for 24 hours', async () => {
    const { organizationId, endpoint, path } = await open()
    const { status, body } = await send('POST', `${path}/rotate-secret`)
    expect([status, body]).toEqual([200, { secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) }])
    const { secret } = z.object({ secret: z.string() }).parse(body)
    expect(await secretsOf(organizationId, endpoint.id)).toEqual([secret, endpoint.secret])
    const { previousUntil } = (await itemOf(organizationId, endpoint.id)) ?? {}
    const left = Number(previousUntil) - (await bed.stack.emulator.now()) * 1000
    expect(Math.abs(left - 86_400_000)).toBeLessThan(60_000)
    const entry = (await entriesOf(organizationId)).at(-1)
    expect(entry).toMatchObject({ action: 'webhook_endpoint.secret_rotated', detail: { host: 'hooks.localhost' } })
  })

  it('ends the secret from before the former secret', async () => {
    const { organizationId, endpoint, path } = await open()
    const answers = [await send('POST', `${path}/rotate-secret`), await send('POST', `${path}/rotate-secret`)]
    const secrets = answers.map(({ body }) => z.object({ secret: z.string() }).parse(body).secret)
    expect(await secretsOf(organizationId, endpoint.id)).toEqual(secrets.toReversed())
  })

  it('rotates once if the store lost its answer', async () => {
    const { organizationId, endpoint, path } = await open()
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    const { body } = await send('POST', `${path}/rotate-secret`)
    const { secret } = z.object({ secret: z.string() }).parse(body)
    expect(await secretsOf(organizationId, endpoint.id)).toEqual([secret, endpoint.secret])
  })
})

describe('POST /api/organizations/{id}/webhook-endpoints/{id}/test', () => {
  it('makes a delivery of an event that is in no list, whatever the endpoint hears', async () => {
    const { organizationId, endpoint, path } = await open({ event_types: ['invoice.paid'] })
    const { status, body } = await send('POST', `${path}/test`)
    const { id } = deliveryAnswer.parse(body)
    expect([status, body]).toEqual([
      202,
      {
        id,
        event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        event_type: 'endpoint.test',
        status: 'pending',
        attempts: 0,
        next_attempt_at: expect.any(String),
        last_attempt: null,
      },
    ])
    const [stored] = await deliveriesOf(endpoint.id)
    expect(JSON.parse(String(stored?.body))).toEqual({
      id: z.object({ event_id: z.string() }).parse(body).event_id,
      type: 'endpoint.test',
      timestamp: expect.any(String),
      organization_id: organizationId,
      sequence: null,
      data: (await send('GET', path)).body,
    })
  })

  it('makes none if the endpoint was deleted meanwhile', async () => {
    const { path } = await open()
    await send('DELETE', path)
    expect((await send('POST', `${path}/test`)).status).toBe(404)
  })

  it('is refused by a disabled endpoint, as is sending again', async () => {
    const { endpoint, path } = await open()
    const { id } = deliveryAnswer.parse((await send('POST', `${path}/test`)).body)
    await send('PATCH', path, { body: { enabled: false } })
    const refused = { status: 409, body: { code: 'webhook_endpoint_disabled' } }
    expect(await send('POST', `${path}/test`)).toMatchObject(refused)
    expect(await send('POST', `${path}/deliveries/${id}/resend`)).toMatchObject(refused)
    expect(await deliveriesOf(endpoint.id)).toMatchObject([{ id, status: 'failed' }])
    await send('PATCH', path, { body: { enabled: true } })
    expect((await send('POST', `${path}/deliveries/${id}/resend`)).status).toBe(202)
  })

  it('is refused by the store, as is sending again, if the endpoint was disabled in between', async () => {
    const { organizationId, endpoint, path } = await open()
    const { id } = deliveryAnswer.parse((await send('POST', `${path}/test`)).body)
    const { accounts, billing, audit_log: auditLog, events } = api().info.tables
    const deliveries = createEndpointDeliveries(bed.stack.documents, { accounts, billing, auditLog, events })
    const name = { owner: organizationIdSchema.parse(organizationId), id: endpoint.id }
    const message = { eventId: 'evt_1', eventType: 'endpoint.test', event: { body: '{}' } } as const
    const outcomes = async () => [
      await deliveries.add(newDelivery({ uuid: randomUUID }, 1, name, message)),
      await deliveries.resend({ endpointId: endpoint.id, id }, 1, name),
    ]
    expect(await outcomes()).toEqual(['written', 'written'])
    await send('PATCH', path, { body: { enabled: false } })
    expect(await outcomes()).toEqual(['conflict', 'conflict'])
    const statuses = (await deliveriesOf(endpoint.id)).map(({ status }) => status)
    expect(statuses).toEqual(['failed', 'failed'])
  })

  it('answers 503 and makes no delivery if the store refuses to write', async () => {
    const { endpoint, path } = await open()
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    expect((await send('POST', `${path}/test`)).status).toBe(503)
    expect(await deliveriesOf(endpoint.id)).toEqual([])
  })
})

const page = z.object({
  deliveries: z.array(z.looseObject({ id: z.string(), status: z.string(), attempts: z.int() })),
  next_cursor: z.string().nullable(),
})

describe('The deliveries of an endpoint', () => {
  const pageOf = async (path: string, query = '') => page.parse((await send('GET', `${path}/deliveries${query}`)).body)

  it('are listed newest first, in pages, and by status', async () => {
    const { path } = await open()
    const ids: string[] = []
    for (let made = 0; made < 3; made += 1)
      ids.unshift(deliveryAnswer.parse((await send('POST', `${path}/test`)).body).id)
    const first = await pageOf(path, '?limit=2')
    expect(first.deliveries.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const second = await pageOf(path, `?limit=2&cursor=${first.next_cursor}`)
    expect([second.deliveries.map(({ id }) => id), second.next_cursor]).toEqual([ids.slice(2), null])
    expect((await pageOf(path, '?status=pending')).deliveries).toHaveLength(3)
    expect((await pageOf(path, '?status=failed')).deliveries).toEqual([])
    expect((await send('GET', `${path}/deliveries?status=lost`)).status).toBe(422)
  })

  it('refuse the cursor of another endpoint', async () => {
    const [{ path }, other] = [await open(), await open()]
    for (let made = 0; made < 2; made += 1) await send('POST', `${path}/test`)
    const { next_cursor } = await pageOf(path, '?limit=1')
    expect((await send('GET', `${other.path}/deliveries?cursor=${next_cursor}`)).status).toBe(422)
  })

  it('show what came of a try, and are sent again from the beginning', async () => {
    const { endpoint, path } = await open({ url: receiver.url })
    const { id } = deliveryAnswer.parse((await send('POST', `${path}/test`)).body)
    await runSchedule('events-deliver')
    const lastAttempt = { at: expect.any(String), response_status: 200, response_body: 'thanks', error: null }
    const delivered = { id, status: 'delivered', attempts: 1, next_attempt_at: null, last_attempt: lastAttempt }
    expect((await pageOf(path)).deliveries).toMatchObject([delivered])
    expect((await pageOf(path, '?status=delivered')).deliveries).toHaveLength(1)
    const again = await send('POST', `${path}/deliveries/${id}/resend`)
    const pending = { ...delivered, status: 'pending', attempts: 0, next_attempt_at: expect.any(String) }
    expect(again).toMatchObject({ status: 202, body: pending })
    expect((await deliveriesOf(endpoint.id))[0]?.firstAttemptAt).toBeUndefined()
    await runSchedule('events-deliver')
    expect((await pageOf(path)).deliveries).toMatchObject([delivered])
    expect(received).toHaveLength(2)
    expect(received[0]).toBe(received[1])
  })

  it('are not found under another id, nor when the store refuses to read', async () => {
    const { path } = await open()
    const unknown = `${path}/deliveries/0195b3c0-0000-7000-8000-000000000000/resend`
    expect(await send('POST', unknown)).toMatchObject({ status: 404, body: { code: 'webhook_delivery_not_found' } })
    const { id } = deliveryAnswer.parse((await send('POST', `${path}/test`)).body)
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    expect((await send('POST', `${path}/deliveries/${id}/resend`)).status).toBe(503)
  })
})
