import { beforeEach, describe, expect, it } from '@jest/globals'
import { expectProjected, subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { deliver, latestEvent } from './webhookRequests.ts'

const bed = useCleanStack()

const READ = 'BatchGetItem'
const WRITE = 'TransactWriteItems'

/** Delivers the latest event of a type. Returns the status, and the calls to DynamoDB and the gateway. */
async function deliverLatest(type: string, subscriptionId: string) {
  const { stack } = bed
  const event = await latestEvent(stack, type, subscriptionId)
  stack.dynamoDb.reset()
  await stack.emulator.clearRequests()
  const status = await deliver(stack, event)
  const gateway = (await stack.emulator.requests()).map(({ method, path }) => `${method} ${path}`)
  return { status, dynamoDb: stack.dynamoDb.calls().map(({ operation }) => operation), gateway }
}

/** A subscription whose end was scheduled at the gateway, with the event not delivered yet. */
async function scheduledAtGateway() {
  const { stack } = bed
  const organization = await subscribedOrganization(stack)
  await stack.stripe.subscriptions.update(organization.subscriptionId, { cancel_at_period_end: true })
  return organization
}

/** Begins to deliver a subscription’s latest update. Resolves once its fetch, which the gateway answers late, is under way. */
async function fetchingSlowly(subscriptionId: string, delay_ms: number) {
  const { stack } = bed
  const event = await latestEvent(stack, UPDATED, subscriptionId)
  const path = `/v1/subscriptions/${subscriptionId}`
  await stack.emulator.fault({ method: 'GET', path, kind: 'delay', delay_ms })
  await stack.emulator.clearRequests()
  stack.dynamoDb.reset()
  const answer = deliver(stack, event)
  await stack.until(async () => (await stack.emulator.requests()).some((request) => request.path === path))
  return { answer }
}

const UPDATED = 'customer.subscription.updated'
const DELETED = 'customer.subscription.deleted'

describe('POST to the webhook, for an event of a subscription', () => {
  beforeEach(() => bed.stack.emulator.webhooks('hold'))

  it('makes one read, one GET and one write for a change, and one read for an event that the record covers', async () => {
    const { organizationId, subscriptionId } = await scheduledAtGateway()
    await bed.stack.emulator.advance(5)
    expect(await deliverLatest(UPDATED, subscriptionId)).toEqual({
      status: 200,
      dynamoDb: [READ, WRITE],
      gateway: [`GET /v1/subscriptions/${subscriptionId}`],
    })
    await expectProjected(bed.stack, organizationId)
    const rev = (await bed.stack.slot(organizationId))?.rev
    expect(await deliverLatest(UPDATED, subscriptionId)).toEqual({ status: 200, dynamoDb: [READ], gateway: [] })
    expect((await bed.stack.slot(organizationId))?.rev).toBe(rev)
  })

  it('makes one read for a subscription whose end is recorded', async () => {
    const { subscriptionId } = await scheduledAtGateway()
    await bed.stack.stripe.subscriptions.cancel(subscriptionId)
    expect(await deliverLatest(DELETED, subscriptionId)).toMatchObject({ status: 200, dynamoDb: [READ, WRITE] })
    for (const type of [DELETED, UPDATED]) {
      expect(await deliverLatest(type, subscriptionId)).toEqual({ status: 200, dynamoDb: [READ], gateway: [] })
    }
  })

  it('changes nothing for a late event of a product that was bought again', async () => {
    const { stack } = bed
    const { organizationId, card, subscriptionId } = await scheduledAtGateway()
    expect((await stack.cancel(organizationId, { product: 'ota', at_period_end: false })).status).toBe(200)
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    const before = await stack.slot(organizationId)
    expect(before).toMatchObject({ state: 'active', n: 2 })

    expect(await deliverLatest(DELETED, subscriptionId)).toEqual({ status: 200, dynamoDb: [READ, READ], gateway: [] })
    expect(await deliverLatest(UPDATED, subscriptionId)).toMatchObject({ status: 200, dynamoDb: [READ, READ] })
    expect(await stack.slot(organizationId)).toEqual(before)
    expect((await stack.subscriptions(organizationId)).map(({ status }) => status)).toEqual(['active', 'canceled'])
    expect(await stack.charges(organizationId)).toBe(2)
  })

  it('records a cancellation whose own write was lost', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    stack.dynamoDb.fail({ operation: WRITE, times: 3 })
    const lost = await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect(lost.status).toBe(503)
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    expect(await stack.stripe.subscriptions.retrieve(subscriptionId)).toMatchObject({ status: 'canceled' })

    expect(await deliverLatest(DELETED, subscriptionId)).toMatchObject({ status: 200 })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled' })
    await expectProjected(stack, organizationId)
  })

  it.each([
    ['answers 500', { kind: 'status', status: 500, times: 2 }],
    ['answers 429', { kind: 'status', status: 429, times: 1 }],
    ['refuses', { kind: 'status', status: 403, times: 1 }],
    ['breaks the connection', { kind: 'drop_before', times: 2 }],
  ] as const)(
    'answers 500 while the gateway %s, and projects the event when it is delivered again',
    async (_, fault) => {
      const { stack } = bed
      const { organizationId, subscriptionId } = await scheduledAtGateway()
      const before = await stack.slot(organizationId)
      await stack.emulator.fault({ method: 'GET', path: '/v1/subscriptions/*', ...fault })
      const first = await stack.emulator.flush()
      expect(first.filter(({ status }) => status !== 200)).toMatchObject([{ type: UPDATED, status: 500 }])
      expect(await stack.slot(organizationId)).toEqual(before)

      await stack.emulator.webhooks('deliver')
      await stack.emulator.advance(60)
      await stack.until(async () => (await stack.slot(organizationId))?.rev !== before?.rev)
      await expectProjected(stack, organizationId)
      expect(subscriptionId).toBe((await stack.subscriptions(organizationId))[0]?.id)
    },
  )

  it.each([READ, WRITE])(
    'answers 500 while DynamoDB fails %s, and projects the event when it is delivered again',
    async (operation) => {
      const { stack } = bed
      const { organizationId, subscriptionId } = await scheduledAtGateway()
      const before = await stack.slot(organizationId)
      const event = await latestEvent(stack, UPDATED, subscriptionId)
      stack.dynamoDb.fail({ operation, times: 3 })
      expect(await deliver(stack, event)).toBe(500)
      expect(await stack.slot(organizationId)).toEqual(before)
      expect(await deliver(stack, event)).toBe(200)
      await expectProjected(stack, organizationId)
    },
  )

  it('records the latest state where another event is projected between its read and its write', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await scheduledAtGateway()
    const slow = await fetchingSlowly(subscriptionId, 1000)
    await stack.stripe.subscriptions.cancel(subscriptionId)
    expect(await deliver(stack, await latestEvent(stack, DELETED, subscriptionId))).toBe(200)
    expect(await slow.answer).toBe(200)
    // The slow one's write conflicts; it reads again and finds the end recorded.
    expect(stack.dynamoDb.calls().map(({ operation }) => operation)).toEqual([READ, READ, WRITE, WRITE, READ])
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled' })
    await expectProjected(stack, organizationId)
  })

  it('records the latest state where it fetches before a cancellation and writes before the cancellation does', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await scheduledAtGateway()
    const path = `/v1/subscriptions/${subscriptionId}`
    await stack.emulator.fault({ method: 'DELETE', path, kind: 'delay', delay_ms: 1600 })
    const projecting = await fetchingSlowly(subscriptionId, 800)
    const canceling = stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect(await projecting.answer).toBe(200)
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    expect(await canceling).toMatchObject({ status: 200, body: { status: 'canceled' } })
    await stack.emulator.flush('lifo')
    await expectProjected(stack, organizationId)
  })

  it('answers 500 after three conflicts, and projects the event when it is delivered again', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await scheduledAtGateway()
    const event = await latestEvent(stack, UPDATED, subscriptionId)
    const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }]
    const error = { type: 'TransactionCanceledException', message: 'lost', CancellationReasons }
    stack.dynamoDb.reset()
    stack.dynamoDb.fail({ operation: WRITE, times: 3, error })
    expect(await deliver(stack, event)).toBe(500)
    expect(stack.writes()).toHaveLength(3)
    expect(await deliver(stack, event)).toBe(200)
    await expectProjected(stack, organizationId)
  })
})
