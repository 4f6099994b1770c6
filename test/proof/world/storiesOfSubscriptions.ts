import { cancel } from '../../../lib/billing/subscriptions/cancel.ts'
import { caller, organizationId } from '../../billing/fixtures.ts'
import { buying, failing, mustBuy } from './storiesGround.ts'
import type { StoryPlan } from './story.ts'

/** What becomes of a subscription after it was bought: canceled by its organization, or changed by the gateway. */
export const storiesOfSubscriptions: readonly StoryPlan[] = [
  {
    name: 'cancel now',
    card: 'pm_card_visa',
    async prepare(world) {
      await mustBuy(world, buying({ couponCode: 'HALF' }))
      return (deps) => cancel(deps, { organizationId, caller, product: 'ota', atPeriodEnd: false })
    },
  },
  {
    name: 'cancel at the end of the period',
    card: 'pm_card_visa',
    async prepare(world) {
      await mustBuy(world, buying({}))
      return (deps) => cancel(deps, { organizationId, caller, product: 'ota', atPeriodEnd: true })
    },
  },
  {
    name: 'cancel at the end of the period under a schedule',
    card: 'pm_card_visa',
    async prepare(world) {
      await mustBuy(world, buying({}))
      const { subscriptions } = world.stripe.core.control.state()
      const own = subscriptions.find(({ metadata }) => metadata.organization_id === organizationId)
      await world.stripe.sdk.subscriptionSchedules.create({ from_subscription: own?.id ?? '' })
      return (deps) => cancel(deps, { organizationId, caller, product: 'ota', atPeriodEnd: true })
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
      await failing(world, buying({ couponCode: 'half' }), [
        { at: '0/gateway.createSubscription#1', kind: 'crash after' },
      ])
      return 'webhooks'
    },
  },
  {
    name: 'webhooks of a subscription that the gateway ended',
    card: 'pm_card_visa',
    async prepare(world) {
      await mustBuy(world, buying({ couponCode: 'half' }))
      await world.deliverWebhooks()
      await world.pass(60_000)
      const { subscriptions } = world.stripe.core.control.state()
      const own = subscriptions.find(({ metadata }) => metadata.organization_id === organizationId)
      await world.stripe.sdk.subscriptions.cancel(own?.id ?? '')
      return 'webhooks'
    },
  },
]
