import { describe, expect, it } from '@jest/globals'
import { createCallRecorder } from '../../../lib/adapters/xray/callRecorder.ts'
import { arrived, newTrace, useDaemon } from './useDaemon.ts'

const daemon = useDaemon()

/** A recorder as a function has it, and a promise of all that it sends. */
function open({ address = daemon().address }: { address?: string | undefined } = {}) {
  const sent: Promise<void>[] = []
  const finishBeforeAnswer = (sending: Promise<void>) => void sent.push(sending)
  const recorderOf = createCallRecorder({ daemonAddress: address, region: 'eu-central-1', finishBeforeAnswer })
  return { recorderOf, sent }
}

const getItem = { clientName: 'DynamoDBClient', commandName: 'GetItemCommand' }
const output = { $metadata: { httpStatusCode: 200, requestId: 'R1', attempts: 1 } }

/** The one document of a call of DynamoDB's. */
async function documentOf(call: { clientName?: string; commandName?: string; input?: unknown }, outcome: object) {
  daemon().reset()
  const ended = { output, ...outcome }
  open()
    .recorderOf(newTrace().header)
    ?.aws({ ...getItem, input: {}, ...call })('error' in ended ? ended : { output: ended.output })
  const { documents, refusals } = await arrived(daemon(), 1)
  expect(refusals()).toEqual([])
  return documents()[0]
}

describe('The record of a call', () => {
  it('is a subsegment of the function’s segment, with the time that the call took', async () => {
    const { traceId, parentId, header } = newTrace()
    const { recorderOf, sent } = open()
    const before = Date.now() / 1000
    const end = recorderOf(header)?.aws({ ...getItem, input: { TableName: 'accounts', Key: { pk: 'secret' } } })
    await new Promise((resolve) => setTimeout(resolve, 20))
    end?.({ output })
    await Promise.all(sent)
    const { documents, datagrams } = await arrived(daemon(), 1)
    expect(documents()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        trace_id: traceId,
        parent_id: parentId,
        type: 'subsegment',
        name: 'DynamoDB',
        namespace: 'aws',
        start_time: expect.any(Number),
        end_time: expect.any(Number),
        aws: { operation: 'GetItem', region: 'eu-central-1', request_id: 'R1', retries: 0, table_name: 'accounts' },
        http: { response: { status: 200 } },
      },
    ])
    const [{ start_time: start = 0, end_time: ended = 0 } = {}] = documents()
    expect(start).toBeGreaterThanOrEqual(before - 0.001)
    expect(ended - start).toBeGreaterThan(0.015)
    expect(ended - start).toBeLessThan(2)
    expect(datagrams().join()).not.toContain('secret')
  })

  it('has an id of its own beside those of calls at the same time', async () => {
    const { recorderOf } = open()
    const recorder = recorderOf(newTrace().header)
    const ends = [1, 2, 3].map(() => recorder?.aws({ ...getItem, input: {} }))
    for (const end of ends) end?.({ output })
    const { documents } = await arrived(daemon(), 3)
    expect(new Set(documents().map(({ id }) => id)).size).toBe(3)
    expect(new Set(documents().map(({ parent_id }) => parent_id)).size).toBe(1)
  })

  it.each<[string, (trace: ReturnType<typeof newTrace>) => string]>([
    ['that is not sampled', () => newTrace('0').header],
    ['that says nothing of sampling, as where X-Ray is off', ({ traceId }) => `Root=${traceId}`],
    ['without a parent', ({ traceId }) => `Root=${traceId};Sampled=1`],
    ['of another form', () => 'Root=1-0-0;Parent=0;Sampled=1'],
    ['that is empty', () => ''],
  ])('is not made for a header %s', (_, headerOf) => {
    expect(open().recorderOf(headerOf(newTrace()))).toBeUndefined()
  })

  it('is made whatever the order of the header’s members is', () => {
    const { traceId, parentId } = newTrace()
    expect(open().recorderOf(`Sampled=1;Self=x;Parent=${parentId};Root=${traceId}`)).toBeDefined()
  })

  it.each<[string, (address: string) => string]>([
    ['UDP first', (address) => `udp:${address} tcp:127.0.0.1:1`],
    ['UDP last', (address) => `tcp:127.0.0.1:1 udp:${address}`],
  ])('is sent to the UDP address of two, %s', async (_, addressOf) => {
    const { recorderOf } = open({ address: addressOf(daemon().address) })
    recorderOf(newTrace().header)?.aws({ ...getItem, input: {} })({ output })
    expect((await arrived(daemon(), 1)).documents()).toHaveLength(1)
  })

  it.each(['', 'daemon:2000', '127.0.0.1', '127.0.0.1:99999', '127.0.0.1:0', '127.0.0.256:1', 'tcp:127.0.0.1:1'])(
    'is not made without a daemon’s address: %s',
    (address) => {
      expect(open({ address }).recorderOf(newTrace().header)).toBeUndefined()
    },
  )

  it('is lost, and nothing else, where no daemon listens', async () => {
    const { recorderOf, sent } = open({ address: '127.0.0.1:1' })
    for (const _ of [1, 2]) recorderOf(newTrace().header)?.aws({ ...getItem, input: {} })({ output })
    await Promise.all(sent)
    expect(sent).toHaveLength(2)
  })

  it.each<[string, object, object]>([
    [
      'of a transaction',
      { TransactItems: [{ Put: { TableName: 'a' } }, { Update: { TableName: 'a' } }] },
      { table_name: 'a' },
    ],
    [
      'of one across tables',
      { TransactItems: [{ Put: { TableName: 'a' } }, { Delete: { TableName: 'b' } }] },
      { table_names: ['a', 'b'] },
    ],
    ['of a batch', { RequestItems: { a: {}, b: {} } }, { table_names: ['a', 'b'] }],
  ])('names the tables %s', async (_, input, tables) => {
    expect((await documentOf({ input }, {}))?.aws).toMatchObject(tables)
  })
})

describe('The record of a call that failed', () => {
  const error = (name: string, httpStatusCode: number | undefined, members: object = {}) => ({
    error: Object.assign(new Error('user@example.com has no such item'), {
      name,
      $metadata: { httpStatusCode, requestId: 'R1', attempts: 3 },
      ...members,
    }),
  })
  const reasons = (...codes: string[]) => ({ CancellationReasons: codes.map((Code) => ({ Code, Message: 'x' })) })

  it.each<[string, { error: Error }, object]>([
    ['a fault of the service', error('InternalServerError', 500), { fault: true }],
    ['a fault of the caller', error('ValidationException', 400), { error: true }],
    ['a condition', error('ConditionalCheckFailedException', 400), { error: true }],
    ['a throttle', error('ThrottlingException', 400), { error: true, throttle: true }],
    ['a throttle of a table', error('ProvisionedThroughputExceededException', 400), { error: true, throttle: true }],
    [
      'a throttle of a part of a transaction',
      error('TransactionCanceledException', 400, reasons('None', 'ThrottlingError')),
      { error: true, throttle: true },
    ],
    [
      'a condition of a transaction',
      error('TransactionCanceledException', 400, reasons('ConditionalCheckFailed')),
      { error: true },
    ],
    ['no answer in time', error('TimeoutError', undefined), { fault: true }],
  ])('says which kind it was, and no message: %s', async (_, outcome, flags) => {
    const { error: isError, fault, throttle, cause, aws } = (await documentOf({}, outcome)) ?? {}
    expect({ error: isError, fault, throttle }).toEqual({
      error: undefined,
      fault: undefined,
      throttle: undefined,
      ...flags,
    })
    const remote = outcome.error.name !== 'TimeoutError'
    expect(cause).toEqual({ exceptions: [{ id: expect.any(String), type: outcome.error.name, remote }] })
    expect(aws).toMatchObject({ retries: 2 })
    expect(daemon().datagrams().join()).not.toContain('example.com')
  })

  it('has the code of an error whose class says nothing', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    for (const failure of [refused, new Error('Not answered', { cause: refused })]) {
      expect((await documentOf({}, { error: failure }))?.cause).toMatchObject({
        exceptions: [{ type: 'ECONNREFUSED' }],
      })
    }
  })

  it('has no text in the place of a name', async () => {
    const failure = Object.assign(new Error('x'), { name: 'user@example.com is unknown' })
    expect((await documentOf({}, { error: failure }))?.cause).toMatchObject({ exceptions: [{ type: 'Error' }] })
  })
})

describe('The record of a request to Stripe', () => {
  it.each([
    ['/v1/customers/cus_1/payment_methods/pm_1?expand[]=x', '/v1/customers/:id/payment_methods/:id'],
    ['/v1/coupons/welcome', '/v1/coupons/:id'],
    ['/v1/invoices/create_preview', '/v1/invoices/create_preview'],
    ['/v1/invoices/in_1/pay', '/v1/invoices/:id/pay'],
    ['/v1/promotion_codes?code=WELCOME&limit=1', '/v1/promotion_codes'],
    ['/v1/anything/new', '/v1/:id/:id'],
  ])('has the path without ids and query: %s', async (path, expected) => {
    const host = 'api.stripe.com'
    open().recorderOf(newTrace().header)?.stripe({ host, method: 'POST', path })({ status: 200 })
    const { documents } = await arrived(daemon(), 1)
    expect(documents()).toMatchObject([
      {
        name: host,
        namespace: 'remote',
        http: { request: { method: 'POST', url: `https://${host}${expected}` }, response: { status: 200 } },
      },
    ])
  })

  it.each([
    [200, {}],
    [402, { error: true }],
    [429, { error: true, throttle: true }],
    [503, { fault: true }],
  ])('says what the status means: %s', async (status, flags) => {
    open().recorderOf(newTrace().header)?.stripe({ host: 'api.stripe.com', method: 'GET', path: '/v1/events' })({
      status,
    })
    const [document] = (await arrived(daemon(), 1)).documents()
    expect(document).toMatchObject(flags)
    expect(Object.keys(document ?? {}).filter((key) => /error|fault|throttle|cause/.test(key))).toEqual(
      Object.keys(flags),
    )
  })
})
