import { beforeEach, describe, expect, it } from '@jest/globals'
import type { StripeFault } from '../../../support/emulator.ts'
import { errorBody } from '../../../support/errorBody.ts'
import { expectProjected, subscribedOrganization, subscriptionOf } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { atOnce, sendCancel } from './sendCancel.ts'

const bed = useCleanStack()

const atPeriodEnd = { product: 'ota', at_period_end: true }
const missing = { error: { type: 'invalid_request_error', code: 'resource_missing', param: 'id', message: 'No such' } }

const ways = [
  { name: 'at once', method: 'DELETE', body: atOnce, done: { status: 'canceled' } },
  { name: 'at period end', method: 'POST', body: atPeriodEnd, done: { status: 'cancellation_scheduled' } },
]

const cancel = (organizationId: string, body: object) => sendCancel(bed.stack, organizationId, body)

/** Sets a fault for one subscription's calls, so that several can be tested at a time. */
function fault(subscriptionId: string, rest: Omit<StripeFault, 'path'>) {
  return bed.stack.emulator.fault({ path: `/v1/subscriptions/${subscriptionId}`, ...rest })
}

/** A subscription and its slot, which a failed cancellation must not change. */
async function subscribed() {
  const organization = await subscribedOrganization(bed.stack)
  return { ...organization, before: await bed.stack.slot(organization.organizationId) }
}

/** Fails unless the subscription is active at the gateway and its slot is unchanged. */
async function expectUntouched({ organizationId, before }: Awaited<ReturnType<typeof subscribed>>): Promise<void> {
  expect(await bed.stack.slot(organizationId)).toEqual(before)
  expect((await bed.stack.entitlements(organizationId))[0]).toMatchObject({ active: true })
  expect(await subscriptionOf(bed.stack, organizationId)).toMatchObject({ status: 'active', cancel_at: null })
}

describe('POST /api/billing/cancel', () => {
  beforeEach(() => bed.stack.emulator.webhooks('hold'))

  describe.each(ways)('Given a gateway that fails ($name)', ({ method, body, done }) => {
    it('answers 502 where the gateway refuses, and records nothing', async () => {
      const refuse = async (status: number) => {
        const organization = await subscribed()
        await fault(organization.subscriptionId, { method, kind: 'status', status })
        const answer = await cancel(organization.organizationId, body)
        expect(answer).toMatchObject({
          status: 502,
          body: errorBody('The payment gateway refused the request', 'gateway_refused'),
        })
        await expectUntouched(organization)
      }
      await Promise.all([400, 401, 403].map(refuse))
    })

    it('answers 503 where the outcome is unknown, records nothing, and cancels when sent again', async () => {
      const cancelWith = async (rest: Omit<StripeFault, 'path' | 'method'>) => {
        const organization = await subscribed()
        await fault(organization.subscriptionId, { method, ...rest })
        const answer = await cancel(organization.organizationId, body)
        expect([rest, answer]).toMatchObject([rest, { status: 503, retryAfter: expect.stringMatching(/^\d+$/) }])
        await expectUntouched(organization)
        expect(await cancel(organization.organizationId, body)).toMatchObject({ status: 200, body: done })
        await expectProjected(bed.stack, organization.organizationId)
      }
      // An attempt answered with 429 is not repeated by the SDK; every other one is, once.
      const answered = [500, 502, 503].map((status) => cancelWith({ kind: 'status', status, times: 2 }))
      const limited = cancelWith({ kind: 'status', status: 429, times: 1 })
      await Promise.all([...answered, limited, cancelWith({ kind: 'drop_before', times: 2 })])
    })

    it('answers 503 where the gateway’s answer is lost twice, records nothing, and answers 200 when sent again', async () => {
      const { organizationId, subscriptionId, before } = await subscribed()
      await fault(subscriptionId, { method, kind: 'drop_after', times: 2 })
      expect((await cancel(organizationId, body)).status).toBe(503)
      expect(await bed.stack.slot(organizationId)).toEqual(before)
      expect(await cancel(organizationId, body)).toMatchObject({ status: 200, body: done })
      await expectProjected(bed.stack, organizationId)
    })

    it('answers 200 where one attempt or its answer is lost', async () => {
      const lose = async (kind: 'drop_before' | 'drop_after') => {
        const { organizationId, subscriptionId } = await subscribed()
        await fault(subscriptionId, { method, kind })
        expect(await cancel(organizationId, body)).toMatchObject({ status: 200, body: done })
        await expectProjected(bed.stack, organizationId)
      }
      await Promise.all([lose('drop_before'), lose('drop_after')])
    })

    it('answers 502 or 503 and records nothing where the gateway answers 404 for a subscription that it does not show as ended', async () => {
      const deny = async (status: number, fetched: Omit<StripeFault, 'path' | 'method'> | undefined) => {
        const organization = await subscribed()
        await fault(organization.subscriptionId, { method, kind: 'status', status: 404, body: missing })
        if (fetched) await fault(organization.subscriptionId, { method: 'GET', ...fetched })
        expect((await cancel(organization.organizationId, body)).status).toBe(status)
        await bed.stack.emulator.clearFaults()
        await expectUntouched(organization)
      }
      await deny(502, { kind: 'status', status: 404, body: missing })
      await deny(502, undefined)
      await deny(503, { kind: 'status', status: 503, times: 2 })
    })

    it('answers 200 and records the end of a subscription that had ended at the gateway before', async () => {
      const { organizationId, subscriptionId } = await subscribed()
      await bed.stack.stripe.subscriptions.cancel(subscriptionId)
      expect(await bed.stack.slot(organizationId)).toMatchObject({ state: 'active' })
      expect(await cancel(organizationId, body)).toMatchObject({ status: 200, body: { status: 'canceled' } })
      await expectProjected(bed.stack, organizationId)
    })
  })
})
