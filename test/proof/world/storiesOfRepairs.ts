import { reconcile } from '../../../lib/billing/reconcile/reconcile.ts'
import { cancel } from '../../../lib/billing/subscriptions/cancel.ts'
import { caller, organizationId } from '../../billing/fixtures.ts'
import type { Fault } from './faults.ts'
import { sweeping } from './healers.ts'
import { buying, failing, mustBuy } from './storiesGround.ts'
import type { StoryPlan } from './story.ts'
import type { Operation, World } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const reconciling: Operation = (deps) => reconcile(deps, { finishBy: Infinity, begin: true })

/** A purchase with a coupon that failed like this, some time ago. */
async function leftAlone(
  world: World,
  fault: Fault,
  milliseconds: number,
  bought: Operation = buying({ couponCode: 'half' }),
): Promise<void> {
  await failing(world, bought, [fault])
  await world.pass(milliseconds)
}

const beforeSending: Fault = { at: '0/gateway.createSubscription#1', kind: 'crash before' }
const savedFailure: Fault = { at: '0/gateway.createSubscription#1', kind: 'saved 500' }
const afterSending: Fault = { at: '0/gateway.createSubscription#1', kind: 'crash after' }

/** Purchases that are not repeated and webhooks that are not received. */
export const storiesOfRepairs: readonly StoryPlan[] = [
  {
    name: 'sweep of a purchase that was never sent',
    card: 'pm_card_visa',
    async prepare(world) {
      await leftAlone(world, beforeSending, 16 * MINUTE)
      return sweeping
    },
  },
  {
    name: 'sweep beside a repeated request',
    card: 'pm_card_visa',
    meanwhile: buying({ couponCode: 'half' }),
    async prepare(world) {
      await leftAlone(world, beforeSending, 16 * MINUTE)
      return sweeping
    },
  },
  {
    name: 'sweep of a purchase whose answer was lost',
    card: 'pm_card_visa',
    owing: true,
    async prepare(world) {
      await leftAlone(world, afterSending, 5 * MINUTE)
      return sweeping
    },
  },
  {
    name: 'sweep of a declined purchase',
    card: 'pm_card_chargeCustomerFail',
    owing: true,
    async prepare(world) {
      await leftAlone(world, afterSending, 5 * MINUTE, buying({}))
      return sweeping
    },
  },
  {
    name: 'sweep of a declined purchase with a limited coupon',
    card: 'pm_card_chargeCustomerFail',
    owing: true,
    async prepare(world) {
      await leftAlone(world, afterSending, 5 * MINUTE, buying({ couponCode: 'LIMITED' }))
      return sweeping
    },
  },
  {
    name: 'sweep of a purchase that met a saved 500 and was never made',
    card: 'pm_card_visa',
    async prepare(world) {
      await leftAlone(world, savedFailure, 25 * HOUR)
      return sweeping
    },
  },
  {
    name: 'sweep of a purchase without a customer',
    async prepare(world) {
      await leftAlone(
        world,
        { at: '0/gateway.createCustomer#1', kind: 'crash before' },
        5 * MINUTE,
        buying({ couponCode: 'free' }),
      )
      return sweeping
    },
  },
  {
    name: 'reconciliation of a purchase whose answer was lost',
    card: 'pm_card_visa',
    owing: true,
    meanwhile: sweeping,
    async prepare(world) {
      await leftAlone(world, afterSending, 5 * MINUTE)
      return reconciling
    },
  },
  {
    name: 'reconciliation of a limited coupon whose purchase was canceled unpaid',
    card: 'pm_card_chargeCustomerFail',
    async prepare(world) {
      await world.run(buying({ couponCode: 'LIMITED' }))
      await world.deliverWebhooks()
      await world.run((deps) => cancel(deps, { organizationId, caller, product: 'ota', atPeriodEnd: false }))
      return reconciling
    },
  },
  {
    name: 'reconciliation of a subscription that the gateway ended',
    card: 'pm_card_visa',
    owing: true,
    async prepare(world) {
      await mustBuy(world, buying({ couponCode: 'half' }))
      await world.deliverWebhooks()
      await world.pass(MINUTE)
      const { subscriptions } = world.stripe.core.control.state()
      const own = subscriptions.find(({ metadata }) => metadata.organization_id === organizationId)
      await world.stripe.sdk.subscriptions.cancel(own?.id ?? '')
      return reconciling
    },
  },
]
