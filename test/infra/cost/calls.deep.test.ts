import { marshall } from '@aws-sdk/util-dynamodb'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { operations, RECONCILED, reconciled } from '../../../infra/cost/calls.ts'
import type { DynamoDbRequest } from '../../../infra/cost/operation.ts'
import { subscribedOrganization } from '../../billing/gatewayView.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { itemSize } from './itemSize.ts'
import { type Measured, measure } from './measure.ts'
import { runs } from './runs.ts'

const bed = useBillingStack({ rateLimits: true })

const sorted = (requests: readonly DynamoDbRequest[]) => requests.map(([kind, count]) => `${kind} ${count}`).sort()

describe('An operation of the cost table', () => {
  const measured = new Map<string, Measured>()

  beforeAll(async () => {
    const { stack } = bed
    // The log level of AWS, set before the first function reads it.
    Object.assign(process.env, { LOG_LEVEL: 'INFO', METRICS: 'on' })
    jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    // Prices are cached for five minutes in each container.
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    for (const { name, functionName } of operations) {
      // The next window of every rate limit, and no event left of the operation before.
      await stack.emulator.advance(61)
      await stack.emulator.webhooks('deliver')
      await stack.emulator.flush()
      const run = await runs[name]?.(stack)
      if (run) measured.set(name, await measure(stack, { functionName, run }))
    }
  })

  afterAll(() => void jest.restoreAllMocks())

  it.each(operations)('$name: calls what the table says', ({ name, dynamoDb, indexWrites, kms, stripe }) => {
    const found = measured.get(name)
    // The table's reconciliation is of more subscriptions, and so of more pages, than are made here.
    const isReconciliation = name === 'reconciliation of 1,000 subscriptions'
    const here = found?.dynamoDb.find(([kind]) => kind === 'BatchGetItem')?.[1] ?? 0
    const pages = RECONCILED.subscriptions / 100
    expect({ ...found, dynamoDb: sorted(found?.dynamoDb ?? []) }).toMatchObject({
      dynamoDb: sorted(isReconciliation ? reconciled(here) : dynamoDb),
      indexWrites,
      kms,
      stripe: isReconciliation ? stripe - pages + 1 : stripe,
    })
  })

  it.each(operations)('$name: logs no more than the table says, and not much less', ({ name, logBytes }) => {
    const found = measured.get(name)?.logBytes ?? Number.NaN
    expect(found).toBeLessThanOrEqual(logBytes)
    expect(found).toBeGreaterThanOrEqual(logBytes * 0.7)
  })

  it('reads consistently, but for the queries of the indexes', () => {
    expect([...measured.values()].flatMap(({ inconsistentReads }) => inconsistentReads)).toEqual([
      'Query',
      'Query',
      'Query',
      'Query',
    ])
  })

  it('of the reconciliation reads as much for each subscription as the table says', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    const items = (await stack.items()).filter(({ pk, sk }) =>
      [pk, sk].some((key) => String(key).endsWith(`#${organizationId}`)),
    )
    const bytes = items.reduce((sum, item) => sum + itemSize(marshall(item)), 0)
    expect(bytes).toBeLessThanOrEqual(RECONCILED.bytesEach)
    expect(bytes).toBeGreaterThanOrEqual(RECONCILED.bytesEach * 0.7)
  })
})
