import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterAll, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod'
import { localEndpointId } from '../../../../infra/data/demo.ts'
import { listenOnLoopback } from '../../../../infra/listenOnLoopback.ts'
import { createEndpoints } from '../../../../lib/adapters/dynamodb/endpointStore.ts'
import { putEvent } from '../../../../lib/adapters/dynamodb/eventStore.ts'
import { organizationIdSchema } from '../../../../lib/core/ids.ts'
import { type EventDraft, eventIdOf } from '../../../../lib/events/event.ts'
import { openLocalStack } from '../../../support/openLocalStack.ts'

/**
 * For more than a few thousand, `AWS_ENDPOINT_URL_DYNAMODB` must name DynamoDB Local: the bundled emulator takes longer for each write the more
 * records a stream holds, 10 ms at 12,000.
 */
const COUNT = Number(process.env.EVENTS ?? 3000)
const OF_ORGANIZATION = 100
/** Three requests fail, so that retries and schedules have work too. */
const FAILS = Math.floor(COUNT / 3) - 1
const IN_A_BATCH = 25
/** Milliseconds without an event after which the others count as lost: a few runs of every minute, on a busy machine. */
const QUIET = 300_000

const { info } = await openLocalStack({ events: true, schedules: true })
const where = { endpoint: info.dynamodb_endpoint, region: 'us-east-1' }
// Without the service's time limit: on a busy machine a batch takes longer, and repeated it would announce its events twice.
const client = DynamoDBDocumentClient.from(new DynamoDBClient(where))
const { accounts, billing, audit_log: auditLog, events } = info.tables
const endpoints = createEndpoints(client, { accounts, billing, auditLog, events })

const sent = z.object({ organization_id: z.string(), sequence: z.int() })
const { secret } = info.events
/** The sequence numbers of each event that was received, by its id. */
const received = new Map<string, Set<string>>()
let requests = 0
let forged = 0
const webhook = new Webhook(secret)
const receiver = await listenOnLoopback(
  createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    requests += 1
    if (requests % FAILS === 0) return void response.writeHead(503).end()
    const id = String(request.headers['webhook-id'])
    const at = new Date(Number(request.headers['webhook-timestamp']) * 1000)
    if (request.headers['webhook-signature'] !== webhook.sign(id, at, body)) forged += 1
    const event = sent.parse(JSON.parse(body))
    const numbers = received.get(id) ?? new Set()
    received.set(id, numbers.add(`${event.organization_id} ${event.sequence}`))
    response.writeHead(204).end()
  }),
)
afterAll(async () => {
  client.destroy()
  await receiver.close()
})

function draft(number: number): EventDraft {
  const place = Math.floor(number / OF_ORGANIZATION)
  const organizationId = organizationIdSchema.parse(`00000000-0000-4000-9000-${`${place}`.padStart(12, '0')}`)
  const type = 'entitlement.changed'
  const revision = number % OF_ORGANIZATION
  const id = eventIdOf(type, organizationId, `${revision}`)
  return { organizationId, id, type, at: Date.now(), subject: 'SLOT#ota', revision, data: { product: 'ota' } }
}

async function announceAll(): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let first = next; first < COUNT; first = next) {
      next = first + IN_A_BATCH
      const numbers = Array.from({ length: Math.min(IN_A_BATCH, COUNT - first) }, (_, at) => first + at)
      const puts = numbers.flatMap((number) =>
        putEvent(info.tables.events, draft(number)).flatMap(({ Put }) => Put ?? []),
      )
      const RequestItems = { [info.tables.events]: puts.map(({ Item = {} }) => ({ PutRequest: { Item } })) }
      await client.send(new BatchWriteCommand({ RequestItems }))
    }
  }
  await Promise.all([lane(), lane()])
}

it(`${COUNT} events arrive, each with a number of its own, though some requests fail`, async () => {
  const endpoint = await endpoints.find('operator', localEndpointId)
  if (endpoint === undefined) throw new Error('The stack has no endpoint')
  await endpoints.change(endpoint, { ...endpoint, url: receiver.url })
  const began = performance.now()
  const announcing = announceAll()
  // For five minutes after a failure the runs of every minute deliver alone. The clock is not advanced: a run whose time passes at once sends nothing.
  for (let before = 0, lastAt = began; received.size < COUNT && performance.now() < lastAt + QUIET; ) {
    await delay(1000)
    if (received.size > before) lastAt = performance.now()
    before = received.size
  }
  await announcing
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(`${received.size} of ${COUNT} events in ${seconds} s, by ${requests} requests`)
  const ids = Array.from({ length: COUNT }, (_, number) => draft(number).id)
  expect(ids.filter((id) => !received.has(id))).toEqual([])
  expect(received.size).toBe(COUNT)
  expect(forged).toBe(0)
  const numbers = [...received.values()].flatMap((each) => [...each])
  // One number for each event, and none twice: with as many numbers as events, and none above 100, there is no gap.
  expect(new Set(numbers).size).toBe(COUNT)
  expect(numbers).toHaveLength(COUNT)
  expect(numbers.filter((number) => Number(number.split(' ')[1]) > OF_ORGANIZATION)).toEqual([])
}, 7_200_000)
