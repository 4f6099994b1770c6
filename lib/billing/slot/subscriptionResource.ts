import * as z from 'zod/mini'
import { secondsToRfc3339 } from '../../core/clock.ts'
import { described, named } from '../../http/schema.ts'
import { planCodes, productSchema } from '../catalog.ts'
import { chargesCards, gatewayNameSchema } from '../gateway/gatewayName.ts'
import { gatewayNameOf } from '../gateway/gatewayOf.ts'
import { subscriptionStates } from '../gateway/subscription.ts'
import { priceMembers, toPriceMembers } from './priceResource.ts'
import type { Slot, SubscribedSlot } from './slot.ts'

/**
 * What the buyer has to do, in the API: nothing, wait for an outcome, authenticate (3-D Secure), use another card, or pay an open invoice
 * by bank transfer.
 */
const actionSchema = z.enum(['none', 'wait', 'confirm_payment', 'update_payment_method', 'pay_invoice'])
type Action = z.infer<typeof actionSchema>

/** A subscription in the API. `pending` if its purchase is under way or the outcome is not known yet. */
export const subscriptionResource = named(
  'Subscription',
  z.strictObject({
    product: described('What was bought', productSchema),
    plan_code: described('The plan code that it was bought by', z.string()),
    status: described(
      'The state of the subscription; `pending` while the outcome of the purchase is not known',
      z.enum(['pending', ...subscriptionStates]),
    ),
    current_period_end: described('The end of the period that is paid for', z.nullable(z.iso.datetime())),
    cancel_at: described('When it ends, if it was canceled', z.nullable(z.iso.datetime())),
    ended_at: described('When it ended; null while it lives', z.nullable(z.iso.datetime())),
    coupon_code: described('The code or id of its coupon; null if it has none', z.nullable(z.string())),
    ...priceMembers,
    gateway: described(
      'How it is paid: at once with a card, or by bank transfer against an invoice',
      gatewayNameSchema,
    ),
    action: described('The next step to offer to the user, if any', actionSchema),
    hosted_invoice_url: described(
      'If `action` is `pay_invoice`, the page of the oldest open invoice, which opens without signing in. Null for members who may not pay.',
      z.nullable(z.url()),
    ),
  }),
)

type SubscriptionResource = z.infer<typeof subscriptionResource>

/**
 * The API's object for a slot; null if it never held a subscription: the product was never bought, or every payment was declined.
 * If a purchase is pending, the object does not show the subscription that ended before it.
 */
export function toSubscriptionResource(slot: SubscribedSlot): SubscriptionResource
export function toSubscriptionResource(slot: Slot): SubscriptionResource | null
export function toSubscriptionResource(slot: Slot): SubscriptionResource | null {
  const pending = slot.state === 'pending'
  const subscription = pending ? undefined : slot.subscription
  if (!pending && !subscription) return null
  const action = actionOf(slot)
  return {
    product: slot.product,
    plan_code: planCodes[slot.product],
    status: subscription?.status ?? 'pending',
    current_period_end: secondsToRfc3339(subscription?.currentPeriodEnd),
    cancel_at: secondsToRfc3339(subscription?.cancelAt),
    ended_at: secondsToRfc3339(subscription?.endedAt),
    coupon_code: slot.coupon?.code ?? null,
    ...toPriceMembers(subscription ?? {}),
    gateway: gatewayNameOf(slot),
    action,
    hosted_invoice_url: action === 'pay_invoice' ? (subscription?.hostedInvoiceUrl ?? null) : null,
  }
}

/**
 * Without an open payment, the payment of an `incomplete` purchase is under way, and the invoice of a `past_due` renewal was voided. An
 * `unpaid` subscription has drafts to pay. If the gateway charges no cards, no card has to be changed.
 */
function actionOf(slot: Slot): Action {
  const { state, subscription } = slot
  if (state === 'pending') return 'wait'
  if (subscription?.payment === 'invoice_open') return 'pay_invoice'
  if (!chargesCards[gatewayNameOf(slot)]) return 'none'
  switch (state) {
    case 'incomplete':
    case 'past_due':
    case 'unpaid':
      if (subscription?.payment === 'requires_action') return 'confirm_payment'
      if (subscription?.payment !== undefined || state === 'unpaid') return 'update_payment_method'
      return state === 'incomplete' ? 'wait' : 'none'
    default:
      return 'none'
  }
}
