import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { GetCommand, paginateQuery, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createStripeClient } from '../../../lib/adapters/stripe/stripeClient.ts'
import { createCallRecorder } from '../../../lib/adapters/xray/callRecorder.ts'
import { tracedClient } from '../../../lib/adapters/xray/tracedClient.ts'
import { tracedHttpClient } from '../../../lib/adapters/xray/tracedHttpClient.ts'
import { fixedSecret } from '../../../lib/core/secret.ts'
import { arrived, newTrace, useDaemon } from './useDaemon.ts'

type Answer = (response: ServerResponse) => void

const daemon = useDaemon()
const closings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})
beforeAll(() => {
  process.env.AWS_ACCESS_KEY_ID = 'local'
  process.env.AWS_SECRET_ACCESS_KEY = 'local'
})

/** A server that gives one answer after another; the last one from then on. */
async function serve(...answers: Answer[]): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    request.resume().on('end', () => answer?.(response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closings.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on a port')
  return `http://127.0.0.1:${address.port}`
}

const json =
  (status: number, body: object): Answer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'R1' })
      .end(JSON.stringify(body))
const breakOff: Answer = (response) => void response.socket?.destroy()
const half: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"id": ', () => response.socket?.destroy())
}

function findRecorder(header = newTrace().header) {
  const recorderOf = createCallRecorder({
    daemonAddress: daemon().address,
    region: 'us-east-1',
    finishBeforeAnswer: () => {},
  })
  return async () => recorderOf(header)
}

async function openStore(...answers: Answer[]) {
  const client = createDocumentClient({ endpoint: await serve(...answers), region: 'us-east-1' })
  return tracedClient(client, findRecorder())
}

async function openStripe(...answers: Answer[]) {
  return createStripeClient({
    key: fixedSecret('sk_test_x'),
    apiBase: await serve(...answers),
    traced: (client) => tracedHttpClient(client, findRecorder()),
  })
}

const get = () => new GetCommand({ TableName: 'accounts', Key: { pk: 'USER#1' } })

describe('A client of AWS’s that is traced', () => {
  it('records each call once, with its operation and table, and returns what it read', async () => {
    const store = await openStore(json(200, { Item: { pk: { S: 'USER#1' } } }))
    expect((await store.send(get())).Item).toEqual({ pk: 'USER#1' })
    await store.send(get())
    const { documents } = await arrived(daemon(), 2)
    expect(documents()).toHaveLength(2)
    expect(documents()[0]).toMatchObject({
      name: 'DynamoDB',
      namespace: 'aws',
      aws: { operation: 'GetItem', request_id: 'R1', table_name: 'accounts', retries: 0 },
      http: { response: { status: 200 } },
    })
  })

  it('counts the SDK’s own attempts as retries of one call', async () => {
    const store = await openStore(json(500, { __type: 'InternalServerError' }), breakOff, json(200, {}))
    await store.send(get())
    const { documents } = await arrived(daemon(), 1)
    expect(documents()).toMatchObject([{ aws: { retries: 2 }, http: { response: { status: 200 } } }])
    expect(documents()[0]).not.toHaveProperty('fault')
  })

  // [catch tracedClient.recording]
  it('records a call that failed, and throws its error as it is', async () => {
    const store = await openStore(json(400, { __type: 'ProvisionedThroughputExceededException', message: 'USER#1' }))
    await expect(store.send(get())).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' })
    const { documents, datagrams } = await arrived(daemon(), 1)
    expect(documents()).toMatchObject([
      { error: true, throttle: true, aws: { retries: 2 }, http: { response: { status: 400 } } },
    ])
    expect(datagrams().join()).not.toContain('USER#1')
  })

  it('records a call that nothing answered as a fault', async () => {
    const store = await openStore(breakOff)
    await expect(store.send(get())).rejects.toThrow()
    const [document] = (await arrived(daemon(), 1)).documents()
    expect(document).toMatchObject({ fault: true, aws: { operation: 'GetItem' } })
    expect(document).not.toHaveProperty('http')
  })

  it('records calls at the same time each by itself, and a page of a query as a call', async () => {
    const store = await openStore(json(200, { Items: [] }))
    const Put = { TableName: 'auditLog', Item: { pk: 'ORG#1' } }
    const transaction = new TransactWriteCommand({
      TransactItems: [{ Put }, { Put: { ...Put, TableName: 'billing' } }],
    })
    await Promise.all([store.send(get()), store.send(transaction)])
    const input = {
      TableName: 'billing',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'x' },
    }
    for await (const _ of paginateQuery({ client: store }, input));
    const { documents, refusals } = await arrived(daemon(), 3)
    expect(refusals()).toEqual([])
    expect(
      documents()
        .map(({ aws }) => aws?.operation)
        .toSorted(),
    ).toEqual(['GetItem', 'Query', 'TransactWriteItems'])
    const written = documents().find(({ aws }) => aws?.operation === 'TransactWriteItems')
    expect(written?.aws?.table_names).toEqual(['auditLog', 'billing'])
  })

  it('is asked for nothing before its first call, so that a client which is loaded late stays so', async () => {
    const asked: PropertyKey[] = []
    const client = createDocumentClient({ endpoint: await serve(json(200, {})), region: 'us-east-1' })
    const late = new Proxy(client, {
      get(target, key) {
        asked.push(key)
        return Reflect.get(target, key)
      },
    })
    // What is awaited is asked whether it is a promise.
    const store = await tracedClient(late, findRecorder())
    expect(asked).toEqual(['then'])
    await store.send(get())
    expect(asked).toContain('send')
    await arrived(daemon(), 1)
  })
})

describe('Stripe’s client that is traced', () => {
  it('records a request without its ids', async () => {
    const stripe = await openStripe(json(200, { id: 'cus_1', object: 'customer' }))
    expect(await stripe.customers.retrieve('cus_1', { expand: ['tax_ids'] })).toMatchObject({ id: 'cus_1' })
    const { documents, datagrams } = await arrived(daemon(), 1)
    expect(documents()).toMatchObject([
      {
        name: '127.0.0.1',
        namespace: 'remote',
        http: { request: { method: 'GET', url: 'https://127.0.0.1/v1/customers/:id' }, response: { status: 200 } },
      },
    ])
    expect(datagrams().join()).not.toMatch(/cus_1|sk_test_x|expand/)
  })

  it('records each attempt by itself', async () => {
    const stripe = await openStripe(json(503, { error: {} }), json(200, { id: 'cus_1', object: 'customer' }))
    await stripe.customers.retrieve('cus_1')
    const { documents } = await arrived(daemon(), 2)
    expect(documents().map(({ http, fault }) => [http?.response?.status, fault])).toEqual([
      [503, true],
      [200, undefined],
    ])
  })

  // [catch tracedHttpClient.makeRequest]
  it('records requests that nothing answered as faults', async () => {
    const stripe = await openStripe(breakOff)
    await expect(stripe.customers.retrieve('cus_1')).rejects.toMatchObject({ type: 'StripeConnectionError' })
    const { documents } = await arrived(daemon(), 2)
    const failed = { fault: true, cause: { exceptions: [{ type: 'ECONNRESET', remote: false }] } }
    expect(documents()).toMatchObject([failed, failed])
  })

  // [catch tracedHttpClient.toJSON]
  it('records an answer that breaks off as a fault', async () => {
    const stripe = await openStripe(half)
    await expect(stripe.customers.retrieve('cus_1')).rejects.toMatchObject({ type: 'StripeConnectionError' })
    const { documents } = await arrived(daemon(), 1)
    expect(documents().length).toBeGreaterThan(0)
    expect(documents().every(({ fault }) => fault === true)).toBe(true)
  })
})

describe('A client in an invocation that is not sampled', () => {
  it('sends nothing to the daemon', async () => {
    const { header } = newTrace('0')
    const client = createDocumentClient({ endpoint: await serve(json(200, {})), region: 'us-east-1' })
    await tracedClient(client, findRecorder(header)).send(get())
    const stripe = createStripeClient({
      key: fixedSecret('sk_test_x'),
      apiBase: await serve(json(200, { id: 'cus_1', object: 'customer' })),
      traced: (requests) => tracedHttpClient(requests, findRecorder(header)),
    })
    await stripe.customers.retrieve('cus_1')
    expect((await arrived(daemon(), 0)).datagrams()).toEqual([])
  })
})
