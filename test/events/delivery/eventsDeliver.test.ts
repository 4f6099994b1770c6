import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { signWebhook } from '../../../lib/adapters/webhooks/webhookSigner.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import { recordOf, storeDeliveries } from './storeDeliveries.ts'

const { info } = await openLocalStack()
const store = storeDeliveries({
  dynamodb: info.dynamodb_endpoint,
  kms: info.kms_endpoint,
  table: info.tables.events,
})

let received: { headers: IncomingHttpHeaders; body: string }[] = []
let status = 204
const receiver = await listenOnLoopback(
  createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    received.push({ headers: request.headers, body })
    response.writeHead(status).end(status === 204 ? undefined : 'no')
  }),
)
afterAll(async () => {
  store.close()
  await receiver.close()
})
beforeEach(() => {
  received = []
  status = 204
})

describe('The function that delivers events', () => {
  it('sends what the stream brings, signed with the secret of the endpoint', async () => {
    const endpoint = await store.putEndpoint(receiver.url)
    const delivery = await store.putDelivery(endpoint, '{"type":"endpoint.test"}', 1000)
    expect(await runSchedule('events-deliver', { Records: [recordOf(delivery, '7')] })).toEqual({
      batchItemFailures: [],
    })
    const [{ headers, body } = { headers: {}, body: '' }] = received
    expect(body).toBe('{"type":"endpoint.test"}')
    expect(headers).toMatchObject({ 'webhook-id': 'evt_1', 'content-type': 'application/json' })
    const at = Number(headers['webhook-timestamp']) * 1000
    expect(headers['webhook-signature']).toBe(signWebhook({ id: 'evt_1', at, body }, [endpoint.secret]))
    expect(await store.findDelivery(delivery)).toMatchObject({ status: 'delivered', attempts: 1 })
  })

  it('sends every minute what is due, to the operator too, and keeps what an endpoint answers', async () => {
    const endpoint = await store.putEndpoint(receiver.url, { owner: 'operator' })
    const delivery = await store.putDelivery(endpoint, '{}', 1000)
    status = 410
    expect(await runSchedule('events-deliver')).toEqual({ delivered: 0, failed: 1 })
    expect(await store.findDelivery(delivery)).toMatchObject({
      status: 'failed',
      lastAttempt: { responseStatus: 410, responseBody: 'no', error: null },
    })
    expect(await store.findEndpoint(endpoint)).toMatchObject({ enabled: false, disabledReason: 'gone' })
    expect(await runSchedule('events-deliver')).toEqual({ delivered: 0, failed: 0 })
  })

  it('connects to no forbidden address', async () => {
    const endpoint = await store.putEndpoint('https://169.254.169.254/latest/meta-data/', { failingSince: 1 })
    const delivery = await store.putDelivery(endpoint, '{}', 1000)
    expect(await runSchedule('events-deliver')).toEqual({ delivered: 0, failed: 1 })
    expect(await store.findDelivery(delivery)).toMatchObject({ lastAttempt: { error: 'forbidden_address' } })
  })

  it('reads what is due to check a release, and sends nothing', async () => {
    await store.putDelivery(await store.putEndpoint(receiver.url), '{}', 1000)
    await runSchedule('events-deliver', { release_check: true })
    expect(received).toEqual([])
  })
})
