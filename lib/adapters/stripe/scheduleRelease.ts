import type Stripe from 'stripe'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type { Logger } from '../../log/logger.ts'
import { idIn } from './idOf.ts'
import { type GatewayCall, noValue } from './wireCall.ts'

/** Runs a change of when a subscription ends. */
export type ChangeOfEnd = <Value>(
  subscriptionId: string,
  change: () => Promise<GatewayAnswer<Value>>,
) => Promise<GatewayAnswer<Value>>

/**
 * Stripe refuses a change of a subscription's end, without code or parameter, while a subscription schedule manages it: a person made that
 * in the Dashboard. Then the schedule is released, which keeps the subscription as it is, and the change is sent again.
 */
export function createScheduleRelease(stripe: Stripe, callGateway: GatewayCall, logger: Logger): ChangeOfEnd {
  return async (subscriptionId, change) => {
    const answer = await change()
    if (answer.kind !== 'refused' || answer.reason !== 'other') return answer
    const found = await callGateway(
      () => stripe.subscriptions.retrieve(subscriptionId),
      ({ schedule }) => idIn(schedule),
    )
    if (found.kind !== 'ok' || found.value === null) return answer
    const scheduleId = found.value
    const released = await callGateway(() => stripe.subscriptionSchedules.release(scheduleId), noValue)
    if (released.kind === 'unknown') return released
    // What the schedule had planned is over: a person has to know.
    if (released.kind === 'ok') logger.warn('Subscription schedule released', { subscriptionId, scheduleId })
    return change()
  }
}
