import { buying, customerOf, failing, mustBuy } from './storiesGround.ts'
import type { StoryPlan } from './story.ts'

const HOUR = 3_600_000

/** Purchases of one product: by a first and by a returning buyer, and resumed where an earlier one left off. */
export const storiesOfCheckout: readonly StoryPlan[] = [
  { name: 'checkout of a returning buyer', card: 'pm_card_visa', prepare: async () => buying({}) },
  { name: 'checkout of a first buyer', prepare: async () => buying({ couponCode: 'free' }) },
  { name: 'checkout of a first buyer without a card', prepare: async () => buying({}) },
  { name: 'checkout with a coupon', card: 'pm_card_visa', prepare: async () => buying({ couponCode: 'half' }) },
  { name: 'checkout with 3-D Secure', card: 'pm_card_authenticationRequired', prepare: async () => buying({}) },
  {
    name: 'checkout with a declined card',
    card: 'pm_card_chargeCustomerFail',
    prepare: async () => buying({ couponCode: 'HALF' }),
  },
  {
    name: 'resume with another card',
    card: 'pm_card_authenticationRequired',
    async prepare(world) {
      await mustBuy(world, buying({ couponCode: 'HALF' }))
      const { id } = await world.stripe.sdk.paymentMethods.attach('pm_card_visa', { customer: customerOf(world) })
      return buying({ couponCode: 'HALF', paymentMethodId: id })
    },
  },
  {
    name: 'takeover within the hour of a purchase that met a saved 500 after it was made',
    card: 'pm_card_visa',
    owing: true,
    async prepare(world) {
      await world.deliverWebhooks()
      await failing(world, buying({ couponCode: 'half' }), [
        { at: '0/gateway.createSubscription#1', kind: 'saved 500 after the effect' },
        { at: '0/gateway.findSubscription#1', kind: 'crash before' },
      ])
      await world.pass(HOUR)
      return buying({ couponCode: 'half' })
    },
  },
  {
    name: 'takeover after a day of a purchase that met a saved 500 and was never made',
    card: 'pm_card_visa',
    async prepare(world) {
      await failing(world, buying({ couponCode: 'half' }), [
        { at: '0/gateway.createSubscription#1', kind: 'saved 500' },
      ])
      await world.pass(21 * HOUR)
      return buying({ couponCode: 'half' })
    },
  },
]
