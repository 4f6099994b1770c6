import { fillCatalog } from 'stripe-emulator'
import { organizationId } from '../../../billing/fixtures.ts'
import type { Gap } from '../gaps.ts'
import type { World } from '../world.ts'
import { buying } from './storiesGround.ts'
import type { StoryPlan } from './story.ts'

const two = ['base_ota', 'addon_monitoring']
const four = [...two, 'addon_crash_reporting', 'addon_remote_ssh']

/**
 * A cart has the calls of all its lines, so the longest ones are repeated at three times only: while the lease lasts, on
 * the last minute of the key and after it.
 */
const fewGaps: readonly Gap[] = ['+1 s', '+19 h 59', '+25 h']

/** Purchases of several products at once: together, or line by line where there is a coupon to give. */
export const storiesOfCarts: readonly StoryPlan[] = [
  {
    name: 'checkout of two products',
    card: 'pm_card_visa',
    prepare: async () => buying({ productCodes: two }),
    atRest: (world) => soldExactly(world, two.length),
  },
  {
    name: 'checkout of two products with a coupon',
    card: 'pm_card_visa',
    prepare: async () => buying({ productCodes: two, couponCode: 'half' }),
    // The coupon goes to one line, whichever could have it; the other is not sold at full price. Another user has one too.
    atRest: (world, healer) => (healer === 'another user' ? [] : soldExactly(world, 1)),
  },
  {
    name: 'checkout of two products with a coupon and a declined card',
    card: 'pm_card_chargeCustomerFail',
    prepare: async () => buying({ productCodes: two, couponCode: 'half' }),
    gaps: fewGaps,
    atRest: (world) => soldExactly(world, 0),
  },
  {
    name: 'checkout of four products',
    card: 'pm_card_visa',
    async prepare(world) {
      const price = { unit_amount: 900, currency: 'usd', interval: 'month' as const }
      const products = four.slice(two.length).map((code) => {
        return { id: `prod_${code}`, name: code, price: { ...price, lookup_key: code } }
      })
      fillCatalog(world.stripe.core, { products })
      return buying({ productCodes: four })
    },
    gaps: fewGaps,
    atRest: (world) => soldExactly(world, four.length),
  },
]

/** However a cart was interrupted, sending it again buys what it asks for. */
function soldExactly(world: World, count: number): string[] {
  const live = world.records.save().slots.filter((slot) => {
    // What was sent to be paid later may be overdue by now.
    return slot.organizationId === organizationId && ['active', 'past_due'].includes(slot.state)
  })
  return live.length === count ? [] : [`${live.length} products are live instead of ${count}`]
}
