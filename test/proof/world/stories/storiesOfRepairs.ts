import type { Fault } from '../faults/faults.ts'
import { sweeping } from '../healers.ts'
import type { Operation } from '../world.ts'
import { after, boughtBefore, buying, canceling, endAtGateway, failing, reconciling, sending } from './storiesGround.ts'
import type { StoryPlan } from './story.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Leaves a purchase alone that failed like this, some time ago. */
function leaving(
  fault: Fault,
  milliseconds: number,
  bought: Operation = buying({ couponCode: 'half' }),
  repair = sweeping,
): StoryPlan['prepare'] {
  return async (world) => {
    await failing(world, bought, [fault])
    await world.pass(milliseconds)
    return repair
  }
}

/** Purchases that are not repeated and webhooks that are not received. */
export const storiesOfRepairs: readonly StoryPlan[] = [
  {
    name: 'sweep of a purchase that was never sent',
    card: 'pm_card_visa',
    prepare: leaving(sending('crash before'), 16 * MINUTE),
  },
  {
    name: 'sweep beside a repeated request',
    card: 'pm_card_visa',
    meanwhile: buying({ couponCode: 'half' }),
    prepare: leaving(sending('crash before'), 16 * MINUTE),
  },
  {
    name: 'sweep of a purchase whose answer was lost',
    card: 'pm_card_visa',
    owing: true,
    prepare: leaving(sending('crash after'), 5 * MINUTE),
  },
  {
    name: 'sweep of a declined purchase',
    card: 'pm_card_chargeCustomerFail',
    owing: true,
    prepare: leaving(sending('crash after'), 5 * MINUTE, buying({})),
  },
  {
    name: 'sweep of a declined purchase with a limited coupon',
    card: 'pm_card_chargeCustomerFail',
    owing: true,
    prepare: leaving(sending('crash after'), 5 * MINUTE, buying({ couponCode: 'LIMITED' })),
  },
  {
    name: 'sweep of a purchase that met a saved 500 and was never made',
    card: 'pm_card_visa',
    prepare: leaving(sending('saved 500'), 25 * HOUR),
  },
  {
    name: 'sweep of a purchase without a customer',
    prepare: leaving(
      { at: '0/gateway.createCustomer#1', kind: 'crash before' },
      5 * MINUTE,
      buying({ couponCode: 'free' }),
    ),
  },
  {
    name: 'reconciliation of a purchase whose answer was lost',
    card: 'pm_card_visa',
    owing: true,
    meanwhile: sweeping,
    prepare: leaving(sending('crash after'), 5 * MINUTE, buying({ couponCode: 'half' }), reconciling),
  },
  {
    name: 'reconciliation of a limited coupon whose purchase was canceled unpaid',
    card: 'pm_card_chargeCustomerFail',
    async prepare(world) {
      await world.run(buying({ couponCode: 'LIMITED' }))
      await world.deliverWebhooks()
      await world.run(canceling(false))
      return reconciling
    },
  },
  {
    name: 'reconciliation of a subscription that the gateway ended',
    card: 'pm_card_visa',
    owing: true,
    prepare: after([boughtBefore, endAtGateway], reconciling),
  },
]
