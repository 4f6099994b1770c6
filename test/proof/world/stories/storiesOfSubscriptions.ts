import { organizationId } from '../../../billing/fixtures.ts'
import {
  after,
  boughtBefore,
  buying,
  canceling,
  endAtGateway,
  failing,
  mustBuy,
  sending,
  subscriptionOf,
} from './storiesGround.ts'
import type { StoryPlan } from './story.ts'

/** What becomes of a subscription after it was bought: canceled by its organization, or changed by the gateway. */
export const storiesOfSubscriptions: readonly StoryPlan[] = [
  {
    name: 'cancel now',
    card: 'pm_card_visa',
    async prepare(world) {
      await mustBuy(world, buying({ couponCode: 'HALF' }))
      return canceling(false)
    },
  },
  {
    name: 'cancel at the end of the period',
    card: 'pm_card_visa',
    async prepare(world) {
      await mustBuy(world, buying({}))
      return canceling(true)
    },
  },
  {
    name: 'cancel at the end of the period under a schedule',
    card: 'pm_card_visa',
    async prepare(world) {
      await mustBuy(world, buying({}))
      await world.stripe.sdk.subscriptionSchedules.create({ from_subscription: subscriptionOf(world) })
      return canceling(true)
    },
    atRest(world, healer) {
      const { subscriptions } = world.stripe.core.control.state()
      const own = subscriptions.filter(({ metadata }) => metadata.organization_id === organizationId)
      const isLeft =
        healer === 'the same request' && own.some(({ cancel_at: at, status }) => at === null && status === 'active')
      return isLeft ? ['it goes on for ever'] : []
    },
  },
  {
    name: 'webhooks of a purchase that crashed after it was sent',
    card: 'pm_card_visa',
    async prepare(world) {
      await world.deliverWebhooks()
      await failing(world, buying({ couponCode: 'half' }), [sending('crash after')])
      return 'webhooks'
    },
  },
  {
    name: 'webhooks of a subscription that the gateway ended',
    card: 'pm_card_visa',
    prepare: after([boughtBefore, endAtGateway], 'webhooks'),
  },
]
