import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { demoUsers } from '../../../infra/data/demo.ts'
import { setEnvironment } from '../../../infra/local/functionEnvironment.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { answering } from '../environment/answering.ts'
import { arrived, newTrace, useDaemon } from './useDaemon.ts'

const daemon = useDaemon()
const names = ['TRACING', 'AWS_XRAY_DAEMON_ADDRESS', '_X_AMZN_TRACE_ID'] as const
const before = names.map((name) => [name, process.env[name]] as const)

beforeAll(() => {
  process.env.TRACING = 'on'
  process.env.AWS_XRAY_DAEMON_ADDRESS = daemon().address
})
beforeEach(() => {
  begin('0')
})
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

const bed = useBillingStack()

/** Lets the invocations from now on be of this trace, as Lambda does it. */
function begin(sampled: '0' | '1') {
  const trace = newTrace(sampled)
  process.env._X_AMZN_TRACE_ID = trace.header
  return trace
}

/** The calls of a trace, each as its name and operation, and that X-Ray would take all that was sent. */
async function callsOf(traceId: string): Promise<string[]> {
  const { documents, refusals } = await arrived(daemon(), 1)
  expect(refusals()).toEqual([])
  return documents()
    .filter((document) => document.trace_id === traceId)
    .map(({ name, aws, http }) =>
      aws ? `${name} ${aws.operation}` : `${http?.request?.method} ${new URL(http?.request?.url ?? '').pathname}`,
    )
}

/** What is of a customer, or a secret. */
function expectNothingOf(...values: string[]) {
  const sent = daemon().datagrams().join('\n')
  expect(values.filter((value) => sent.includes(value))).toEqual([])
  // Ids of Stripe's, tokens, addresses and keys of items.
  expect(sent).not.toMatch(/\b(cus|pm|sub|in|pi|seti|si|price|evt|sk|whsec)_\w|eyJ|@|#|Bearer/)
}

describe('A traced invocation', () => {
  it('of a checkout has the store, the keys and Stripe in its trace, and nothing of the customer', async () => {
    const { organizationId, card } = await bed.stack.organizationWithCard()
    const token = await bed.stack.token()
    const { traceId, parentId } = begin('1')
    const { outcomes } = await bed.stack.checkoutWith(token, organizationId, ['base_ota'], { card })
    begin('0')
    expect(outcomes).toEqual(['bought active'])
    const calls = await callsOf(traceId)
    expect(calls).toEqual(
      expect.arrayContaining(['DynamoDB TransactWriteItems', 'KMS Decrypt', 'POST /v1/subscriptions']),
    )
    const documents = daemon().documents()
    expect(documents.every(({ parent_id, fault }) => parent_id === parentId && !fault)).toBe(true)
    expect(documents.flatMap(({ aws }) => aws?.table_name ?? [])).toContain(bed.stack.client.info.tables.billing)
    expectNothingOf(organizationId, card, token)
  })

  it('of the webhook has the event’s reads and writes', async () => {
    const { organizationId, card } = await bed.stack.organizationWithCard()
    await bed.stack.checkout(organizationId, ['base_ota'], { card })
    await bed.stack.emulator.flush()
    await bed.stack.emulator.webhooks('hold')
    const [subscription] = await bed.stack.subscriptions(organizationId)
    await bed.stack.stripe.subscriptions.update(subscription?.id ?? '', { cancel_at_period_end: true })
    const { traceId } = begin('1')
    const delivered = await bed.stack.emulator.flush()
    begin('0')
    await bed.stack.emulator.webhooks('deliver')
    expect(delivered).toMatchObject([{ type: 'customer.subscription.updated', status: 200 }])
    const calls = await callsOf(traceId)
    expect(calls).toContain('GET /v1/subscriptions/:id')
    expect(calls.filter((call) => call.startsWith('DynamoDB ')).length).toBeGreaterThan(1)
    expectNothingOf(organizationId, card, subscription?.id ?? 'none')
  })

  it('of a read has its one call of the store', async () => {
    const token = await bed.stack.token()
    const { traceId } = begin('1')
    const { status } = await bed.stack.client.send({ method: 'GET', path: '/api/users/me', token })
    begin('0')
    expect(status).toBe(200)
    expect(await callsOf(traceId)).toEqual(['DynamoDB BatchGetItem'])
    expectNothingOf(token)
  })

  it('says that the store failed, while the caller gets 503', async () => {
    const token = await bed.stack.token()
    bed.stack.dynamoDb.fail({ times: 3, kind: 'drop_before' })
    const { traceId } = begin('1')
    const { status } = await bed.stack.client.send({ method: 'GET', path: '/api/users/me', token })
    begin('0')
    bed.stack.dynamoDb.reset()
    expect(status).toBe(503)
    await callsOf(traceId)
    expect(daemon().documents()).toMatchObject([{ name: 'DynamoDB', fault: true, aws: { retries: 2 } }])
  })

  it('has the mail that it sent, without the address and what was written', async () => {
    const { traceId } = begin('1')
    const { status } = await bed.stack.client.send({
      method: 'POST',
      path: '/api/auth/password/forgot',
      body: { email: demoUsers.owner.email },
    })
    begin('0')
    expect(status).toBe(202)
    expect(await callsOf(traceId)).toContain('SESv2 SendEmail')
    expectNothingOf(demoUsers.owner.email)
  })

  it('has the secret that it read, without what it is', async () => {
    await using server = await answering(() => ({ status: 200, body: { SecretString: 'sk_test_stored' } }))
    const closed = setEnvironment({
      AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url,
      STRIPE_SECRET_KEY_ARN: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:stripe-AbCdEf',
    })
    const own = process.env.STRIPE_SECRET_KEY
    delete process.env.STRIPE_SECRET_KEY
    const { stripeSecretKey } = await import('../../../lib/runtime/secrets.ts')
    const { traceId } = begin('1')
    expect(await stripeSecretKey().current()).toBe('sk_test_stored')
    begin('0')
    process.env.STRIPE_SECRET_KEY = own
    await closed.close()
    expect(await callsOf(traceId)).toEqual(['SecretsManager GetSecretValue'])
    expectNothingOf('sk_test_stored', 'stripe-AbCdEf')
  })
})

describe('An invocation that is not sampled', () => {
  it('sends nothing', async () => {
    const token = await bed.stack.token()
    begin('0')
    await bed.stack.client.send({ method: 'GET', path: '/api/users/me', token })
    delete process.env._X_AMZN_TRACE_ID
    await bed.stack.client.send({ method: 'GET', path: '/api/users/me', token })
    expect((await arrived(daemon(), 0)).datagrams()).toEqual([])
  })
})

describe('Every client that functions call', () => {
  it('is traced', () => {
    const folder = new URL('../../../lib/runtime/', import.meta.url)
    const code = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
    const made = code.flatMap((text) => text.match(/.*\bcreate\w+Client\(.*/g) ?? [])
    expect(made.length).toBeGreaterThan(5)
    expect(made.filter((line) => !/traced\(create|createStripeClient\(.*traced: tracedRequests/.test(line))).toEqual([])
  })
})
