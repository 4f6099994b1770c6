import { describe, expect, it } from '@jest/globals'
import { expectProjected, subscribedOrganization } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

/** An organization whose subscription a person put under a schedule in the Dashboard, which may end it. */
async function underSchedule(endBehavior: 'release' | 'cancel' = 'release') {
  const { stack } = bed
  const { organizationId, subscriptionId } = await subscribedOrganization(stack)
  const schedule = await stack.stripe.subscriptionSchedules.create({ from_subscription: subscriptionId })
  if (endBehavior === 'cancel') await stack.stripe.subscriptionSchedules.update(schedule.id, { end_behavior: 'cancel' })
  await stack.emulator.flush()
  return { organizationId, subscriptionId, scheduleId: schedule.id }
}

const resume = (organizationId: string) => bed.stack.post('/api/billing/subscriptions/ota/resume', organizationId)

describe('A subscription under a schedule', () => {
  it('is canceled at the end of its period, out of the schedule, however often it is asked', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId, scheduleId } = await underSchedule()
    const answer = await stack.cancel(organizationId, { product: 'ota' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'cancellation_scheduled' } })
    expect(await stack.stripe.subscriptions.retrieve(subscriptionId)).toMatchObject({
      schedule: null,
      cancel_at_period_end: true,
    })
    expect(await stack.stripe.subscriptionSchedules.retrieve(scheduleId)).toMatchObject({ status: 'released' })
    await expectProjected(stack, organizationId)
    expect(await stack.cancel(organizationId, { product: 'ota' })).toEqual(answer)
  })

  it('goes on where its schedule had set an end', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await underSchedule('cancel')
    expect(await stack.slot(organizationId)).toMatchObject({ subscription: { cancelAt: expect.any(Number) } })
    expect(await resume(organizationId)).toMatchObject({ status: 200, body: { cancel_at: null } })
    const atGateway = { schedule: null, cancel_at: null, status: 'active' }
    expect(await stack.stripe.subscriptions.retrieve(subscriptionId)).toMatchObject(atGateway)
    await expectProjected(stack, organizationId)
  })

  it('is canceled at once with its schedule', async () => {
    const { stack } = bed
    const { organizationId, scheduleId } = await underSchedule()
    const answer = await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled' } })
    expect(await stack.stripe.subscriptionSchedules.retrieve(scheduleId)).toMatchObject({ status: 'canceled' })
  })

  it.each(['drop_before', 'drop_after'] as const)(
    'stays as it is where the release is not answered (%s), and is canceled when that is asked again',
    async (kind) => {
      const { stack } = bed
      const { organizationId } = await underSchedule()
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscription_schedules/*', times: 2, kind })
      expect((await stack.cancel(organizationId, { product: 'ota' })).status).toBe(503)
      const again = await stack.cancel(organizationId, { product: 'ota' })
      expect(again).toMatchObject({ status: 200, body: { status: 'cancellation_scheduled' } })
      await expectProjected(stack, organizationId)
    },
  )
})
