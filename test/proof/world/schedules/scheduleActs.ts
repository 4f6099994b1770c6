import { sweep } from '../../../../lib/billing/checkout/sweep.ts'
import { createSetupIntent } from '../../../../lib/billing/customer/setupIntent.ts'
import { projectEvent } from '../../../../lib/billing/events/projectEvent.ts'
import type { GatewayEvent } from '../../../../lib/billing/gateway/gatewayEvent.ts'
import { caller, organizationId } from '../../../billing/fixtures.ts'
import { type Buying, buying, canceling, reconciling } from '../stories/storiesGround.ts'
import { payIfOpen } from '../stories/storiesOfInvoices.ts'
import {
  choosing,
  defaultCardOf,
  firstCardOf,
  lastCardOf,
  paying,
  removing,
  resuming,
} from '../stories/storiesOfSelfService.ts'
import type { Story } from '../stories/story.ts'
import type { Operation, World } from '../world.ts'

/** Where an act is played; `event` is the owed event of a place in order, waited for where it can still come. */
interface Stage {
  world: World
  story: Story
  event(place: number): Promise<GatewayEvent | undefined>
  /** Shows the monitors what is at the gateway now. */
  observe(): void
}

/** Something that is done in a world, made once the world is ready. */
export type Act = (stage: Stage) => Operation

/** What people and the gateway do with one organization's billing. */
export const acts = {
  'a purchase': () => buying({}),
  'a purchase with a coupon': () => buying({ couponCode: 'half' }),
  'a purchase of another product': () => buying({ productCodes: ['addon_monitoring'] }),
  'a purchase of a third product': () => buying({ productCodes: ['addon_remote_ssh'] }),
  'a purchase of another product with the coupon': () =>
    buying({ couponCode: 'half', productCodes: ['addon_monitoring'] }),
  'a cart of both products': () => buying({ productCodes: ['base_ota', 'addon_monitoring'] }),
  'a purchase at the price shown': ({ world }) => buyingAsShown(world, ['base_ota']),
  'a cart of both products at the prices shown': ({ world }) => buyingAsShown(world, ['base_ota', 'addon_monitoring']),
  'the purchase of the story': ({ story }) => {
    if (story.operation === 'webhooks') throw new Error(`“${story.name}” has no purchase`)
    return story.operation
  },
  'a card': () => (deps) => createSetupIntent(deps, { organizationId, caller }),
  'a cancellation': () => canceling(false),
  'a cancellation at the end': () => canceling(true),
  'a resumption': () => resuming,
  'a choice of the first card': ({ world }) => choosing(firstCardOf(world)),
  'a choice of the last card': ({ world }) => choosing(lastCardOf(world)),
  'a removal of the card': ({ world }) => removing(lastCardOf(world)),
  'a removal of the default card': ({ world }) => removing(defaultCardOf(world)),
  'a payment': () => paying(),
  /** Of whatever open invoice was sent first, by its customer. */
  'a payment on the page':
    ({ world }) =>
    (deps) =>
      deps.byHand('dashboard', () => payIfOpen(world)),
  'a reconciliation': () => reconciling,
  'a sweep': () => (deps) => sweep(deps, deps.clock.now() + 120_000),
  'a webhook': delivering(0),
  'another webhook': delivering(1),
  /** A customer's two cards are detached before it is deleted. */
  'the webhook of the deletion': delivering(2),
} as const satisfies Record<string, Act>
export type ActName = keyof typeof acts

/** Buys products at the prices that the gateway lists before anything is done. */
export function buyingAsShown(world: World, productCodes: readonly string[]): Buying {
  const listed = world.stripe.core.control
    .state()
    .prices.filter(({ lookup_key: key }) => productCodes.includes(key ?? ''))
  const subtotal = listed.reduce((sum, { unit_amount: amount }) => sum + (amount ?? 0), 0)
  return buying({ productCodes, expected: { subtotal, currency: 'usd' } })
}

function delivering(place: number): Act {
  return ({ event }) =>
    async (deps) => {
      const owed = await event(place)
      if (owed) await projectEvent(deps, owed)
    }
}
