import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { arrived, newTrace, useDaemon } from './useDaemon.ts'

const daemon = useDaemon()
const bed = useBillingStack()

beforeAll(() => {
  process.env.AWS_XRAY_DAEMON_ADDRESS = daemon().address
  process.env._X_AMZN_TRACE_ID = newTrace().header
})
afterAll(() => {
  delete process.env.AWS_XRAY_DAEMON_ADDRESS
  delete process.env._X_AMZN_TRACE_ID
})

describe('A stage that does not trace', () => {
  it('sends nothing, though a caller’s own header says sampled', async () => {
    const { organizationId, card } = await bed.stack.organizationWithCard()
    expect((await bed.stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    expect((await arrived(daemon(), 0)).datagrams()).toEqual([])
  })
})
