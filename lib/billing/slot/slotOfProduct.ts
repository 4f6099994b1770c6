import type { Product } from '../catalog.ts'
import { BillingError } from '../errors.ts'
import type { OrganizationSlots } from './ports.ts'
import type { SubscribedSlot } from './slot.ts'

/**
 * The slot of a product that was bought, with the subscription that a change needs.
 * @throws BillingError `not_subscribed`, even if a purchase was made and declined; `checkout_in_progress` if a purchase is pending, because
 * its subscription is not known yet: the sweeper settles it, or the same purchase when it is sent again
 */
export function slotOfProduct({ slots }: Pick<OrganizationSlots, 'slots'>, wanted: Product): SubscribedSlot {
  const slot = slots.find(({ product }) => product === wanted)
  if (slot?.state === 'pending') throw new BillingError('checkout_in_progress')
  if (!slot?.subscription) throw new BillingError('not_subscribed')
  const { subscription } = slot
  return { ...slot, subscription }
}
