import { beforeEach, describe, expect, it } from '@jest/globals'
import { expectProjected, subscribedOrganization } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { atOnce, sendCancel } from './sendCancel.ts'

const bed = useCleanStack()

const cancel = (organizationId: string, body: object) => sendCancel(bed.stack, organizationId, body)

describe('POST /api/billing/cancel', () => {
  beforeEach(() => bed.stack.emulator.webhooks('hold'))

  describe('Given a DynamoDB that fails', () => {
    it('answers 503 where the read fails, and does not call the gateway', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      await stack.emulator.clearRequests()
      stack.dynamoDb.fail({ operation: 'BatchGetItem', times: 3 })
      expect(await cancel(organizationId, atOnce)).toMatchObject({ status: 503, retryAfter: expect.any(String) })
      expect(await stack.emulator.requests()).toEqual([])
    })

    it('answers 503 where the write fails, and 200 when sent again', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3 })
      expect((await cancel(organizationId, atOnce)).status).toBe(503)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
      expect(await cancel(organizationId, atOnce)).toMatchObject({ status: 200, body: { status: 'canceled' } })
      await expectProjected(stack, organizationId)
    })

    it('answers 200 where only the acknowledgement of the write is lost', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
      expect(await cancel(organizationId, atOnce)).toMatchObject({ status: 200, body: { status: 'canceled' } })
      await expectProjected(stack, organizationId)
    })
  })
})
