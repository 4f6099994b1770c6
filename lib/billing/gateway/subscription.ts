import * as z from 'zod/mini'
import type { PrincipalId } from '../../core/ids.ts'
import type { GatewayName } from './gatewayName.ts'

/** The states of a subscription that has not ended, in Stripe's words, as they are stored and shown. */
export const heldStates = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const

/** A subscription's states. Only `canceled` has ended. */
export const subscriptionStates = [...heldStates, 'canceled'] as const

export const subscriptionStateSchema = z.enum(subscriptionStates)

export type SubscriptionState = z.infer<typeof subscriptionStateSchema>

/**
 * What became of the payment of the open invoice: of one that a card is charged for, while its subscription is `incomplete`,
 * `past_due` or `unpaid`; of one that was sent to the customer, for as long as it is open. `none` otherwise.
 */
export type PaymentOutcome =
  | { kind: 'none' }
  /** The buyer must authenticate (3-D Secure) with this client secret. */
  | { kind: 'requires_action'; clientSecret: string; paymentMethodId: string | null }
  /** The bank refused the card, or the buyer did not authenticate. */
  | { kind: 'declined'; declineCode: string | null }
  /** Sent to the customer, who pays it by bank transfer: the oldest one where several are open. */
  | { kind: 'invoice_open'; hostedInvoiceUrl: string | null }

/** A change of when a subscription ends that a user asked for here, as the gateway keeps it with the subscription. */
export interface RequestedChange {
  change: 'schedule' | 'cancel' | 'resume'
  by: PrincipalId
}

/** A subscription as the gateway reported it at one instant, reduced to what this service acts on. */
export interface GatewaySubscription {
  /** The gateway that has it. */
  gateway: GatewayName
  id: string
  status: SubscriptionState
  customerId: string
  /** Whose purchase it is, from the metadata that this service wrote; null for a subscription that is not ours. */
  purchase: PurchaseReference | null
  /** Unix seconds, as are the next three. */
  createdAt: number
  currentPeriodEnd: number | null
  cancelAt: number | null
  endedAt: number | null
  /** The latest invoice. */
  invoiceId: string | null
  /** Whether its first invoice was ever paid: then it was a purchase, and has used its coupon. */
  wasPaid: boolean
  payment: PaymentOutcome
  /** Canceled as surplus: what it was paid is to be refunded by the next one that looks at it. */
  refundDue: boolean
  /** The latest one; null where no user of ours asked for any. */
  requested: RequestedChange | null
  /** Everything that the gateway did until then is in this answer; Unix seconds of its own clock. */
  coveredUntil: number
}

/** One item of a subscription. */
export interface SubscriptionItem {
  priceId: string
  /** The plan code, where the price has it. */
  lookupKey: string | null
  gatewayProductId: string
  currency: string
  quantity: number
}

/** What a subscription sells, as the gateway lists it: more than is acted on, to be compared with what was sold here. */
export interface SubscriptionTerms {
  items: readonly SubscriptionItem[]
  currency: string
  /** Collecting payments was paused in the Dashboard; the subscription remains `active`. */
  collectionPaused: boolean
  couponIds: readonly string[]
  /** Unix seconds. */
  trialEnd: number | null
}

export interface ListedSubscription extends GatewaySubscription {
  terms: SubscriptionTerms
}

/** The metadata of every gateway subscription: which purchase of which slot it belongs to. */
export const purchaseReferenceSchema = z.object({
  organization_id: z.guid(),
  product: z.string(),
  plan_code: z.string(),
  n: z.coerce.number().check(z.int(), z.positive()),
  user_id: z.string(),
})
export type PurchaseReference = z.infer<typeof purchaseReferenceSchema>

const liveStatuses: readonly SubscriptionState[] = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

/** Live: the product counts as already subscribed. */
export function isLive(status: SubscriptionState): boolean {
  return liveStatuses.includes(status)
}

/** Ended: nothing can bring it back, the product may be bought anew. */
export function isEnded(status: SubscriptionState): boolean {
  return status === 'canceled'
}

/** Whether its first invoice was paid, or an invoice that was sent may still be paid. */
export function hasMoney({ wasPaid, payment }: GatewaySubscription): boolean {
  return wasPaid || payment.kind === 'invoice_open'
}

/** Canceled by this service because it should not exist, and a crash kept its payment from being refunded, or its open invoice from being voided. */
export function isRefundDue(subscription: GatewaySubscription): boolean {
  return isEnded(subscription.status) && subscription.refundDue && hasMoney(subscription)
}

/** What an open payment waits for: the buyer's authentication (3-D Secure), another card, or a transfer for the invoice that was sent. */
export const openPaymentSchema = z.enum(['requires_action', 'declined', 'invoice_open'])
export type OpenPayment = z.infer<typeof openPaymentSchema>

/**
 * What the subscription's open payment waits for; null where nothing is open, and for one that has ended. A renewal is charged without
 * the buyer, so a card that asks for 3-D Secure is declined there: paid on session, the same card is authenticated.
 */
export function openPaymentOf({ status, payment }: GatewaySubscription): OpenPayment | null {
  if (payment.kind === 'none' || isEnded(status)) return null
  const wantsBuyer = payment.kind === 'declined' && payment.declineCode === 'authentication_required'
  return wantsBuyer && status !== 'incomplete' ? 'requires_action' : payment.kind
}

/** An unpaid first invoice that no buyer is about to pay: the purchase was refused. */
export function isDeclined(subscription: GatewaySubscription): boolean {
  return subscription.status === 'incomplete' && subscription.payment.kind === 'declined'
}
