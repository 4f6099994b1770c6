import { beforeEach, describe, expect, it } from '@jest/globals'
import { expectProjected, subscribedOrganization, subscriptionOf } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { atOnce, sendCancel } from './sendCancel.ts'

const bed = useCleanStack()

const cancel = (organizationId: string, body: object) => sendCancel(bed.stack, organizationId, body)

describe('POST /api/billing/cancel', () => {
  beforeEach(() => bed.stack.emulator.webhooks('hold'))

  it('answers ten requests at once the same, and ends one subscription', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(organizationId, atOnce)))
    const { status, ended_at } = await subscriptionOf(stack, organizationId)
    expect([status, ended_at]).toEqual(['canceled', expect.any(Number)])
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200))
    await expectProjected(stack, organizationId)
  })
})
