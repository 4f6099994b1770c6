import type { Product } from '../catalog.ts'
import { BillingError } from '../errors.ts'
import type { OrganizationSlots } from './ports.ts'
import type { SubscribedSlot } from './slot.ts'

/**
 * The slot of a product that was bought, and its subscription, as a change of that subscription wants it.
 * @throws BillingError `not_subscribed`, also after a purchase that was only ever declined; `checkout_in_progress` for a pending
 * one, whose subscription is not known yet: the purchase sent again settles it, or the sweeper
 */
export function slotOfProduct({ slots }: Pick<OrganizationSlots, 'slots'>, wanted: Product): SubscribedSlot {
  const slot = slots.find(({ product }) => product === wanted)
  if (slot?.state === 'pending') throw new BillingError('checkout_in_progress')
  if (!slot?.subscription) throw new BillingError('not_subscribed')
  const { subscription } = slot
  return { ...slot, subscription }
}
