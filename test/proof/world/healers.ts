import { sweep } from '../../../lib/billing/checkout/sweep.ts'
import { organizationId } from '../../billing/fixtures.ts'
import { buying, canceling, customerOf, isBuying, secondCaller } from './stories/storiesGround.ts'
import type { Story } from './stories/story.ts'
import type { Operation, World } from './world.ts'

/** What comes after a run that met a fault: the same request again, one that asks for something else, or no request at all. */
export const healers = [
  'the same request',
  'another card',
  'another coupon',
  'another user',
  'a cancellation',
  'the sweeper alone',
] as const
export type Healer = (typeof healers)[number]

export const sweeping: Operation = (deps) => sweep(deps, deps.clock.now() + 2 * 60_000)

/** The healers that make a difference for a story: only a purchase can be repeated with another card or coupon. */
export function healersOf({ operation }: Pick<Story, 'operation'>): readonly Healer[] {
  if (operation === 'webhooks') return ['the same request']
  return isBuying(operation) ? healers : ['the same request', 'the sweeper alone']
}

/** What the healer does in this world. */
export function healingBy(healer: Healer, { operation }: Pick<Story, 'operation'>, world: World): Story['operation'] {
  if (healer === 'the sweeper alone') return sweeping
  if (operation === 'webhooks' || !isBuying(operation)) return operation
  const { request } = operation
  switch (healer) {
    case 'the same request':
      return operation
    case 'another card':
      return buying({ ...request, paymentMethodId: otherCardOf(world) })
    case 'another coupon':
      return buying({ ...request, couponCode: request.couponCode === undefined ? 'half' : undefined })
    case 'another user':
      return buying({ ...request, caller: secondCaller })
    case 'a cancellation':
      return canceling(false)
  }
}

/** A card of the organization's customer that is not its default one; any card where it has no customer. */
function otherCardOf(world: World): string {
  const { customers, payment_methods: cards } = world.stripe.core.control.state()
  if (!customers.some(({ metadata }) => metadata.organization_id === organizationId)) return 'pm_of_another'
  const owner = customerOf(world)
  const { invoice_settings: settings } = customers.find(({ id }) => id === owner) ?? {}
  const other = cards.find(({ id, customer }) => customer === owner && id !== settings?.default_payment_method)
  return other?.id ?? 'pm_of_another'
}
