import * as z from 'zod/mini'
import type { PrincipalId } from '../../core/ids.ts'
import type { GatewayName } from './gatewayName.ts'

/** The states of a subscription that has not ended, stored and shown in Stripe's words. */
export const heldStates = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const

/** A subscription's states. Only `canceled` has ended. */
export const subscriptionStates = [...heldStates, 'canceled'] as const

export const subscriptionStateSchema = z.enum(subscriptionStates)

export type SubscriptionState = z.infer<typeof subscriptionStateSchema>

/**
 * What became of the open invoice's payment. If the gateway charges a card: while the subscription is `incomplete`, `past_due` or
 * `unpaid`, and if its latest invoice is open after the end. If it sent the invoice to the customer: as long as the invoice is open. `none`
 * otherwise.
 */
export type PaymentOutcome =
  | { kind: 'none' }
  /** The buyer must authenticate (3-D Secure) with this client secret. */
  | { kind: 'requires_action'; clientSecret: string; paymentMethodId: string | null }
  /** The bank refused the card, or the buyer did not authenticate. */
  | { kind: 'declined'; declineCode: string | null }
  /** Nothing can pay the first invoice any more, though the subscription has not ended. */
  | { kind: 'voided' }
  /**
   * Sent to the customer, who pays it by bank transfer. If several invoices are open, the oldest. Also the invoice that a card did not pay
   * before its subscription ended: paying it buys nothing.
   */
  | { kind: 'invoice_open'; hostedInvoiceUrl: string | null; buysNothing?: true }

/** Why a user cancels, as Stripe names it in `cancellation_details.feedback`. */
export const cancellationReasonSchema = z.enum([
  'too_expensive',
  'missing_features',
  'unused',
  'switched_service',
  'other',
])

export type CancellationReason = z.infer<typeof cancellationReasonSchema>

/** A user asked here to change when a subscription ends. The gateway keeps this with the subscription. */
export interface RequestedChange {
  change: 'schedule' | 'cancel' | 'resume'
  by: PrincipalId
  /** What the user gave as the reason of a cancellation. */
  reason?: CancellationReason | undefined
  /** If it was canceled at once: a payment after this time (Unix seconds) was not known to that user, and goes back. */
  refundAfter?: number | undefined
}

/** A coupon of a subscription: its id, and the code that the buyer typed. */
export interface GatewayCoupon {
  id: string
  code: string
}

/** The price of a period, in the currency's smallest unit. */
export const recurringPriceSchema = z.object({
  amount: z.int(),
  /** ISO 4217 in lower case. */
  currency: z.string(),
  interval: z.enum(['day', 'week', 'month', 'year']),
  intervalCount: z.int(),
})
export type RecurringPrice = z.infer<typeof recurringPriceSchema>

/** What a subscription is charged next, in the currency of its price. `at`: Unix seconds. */
export const nextChargeSchema = z.object({ amount: z.int(), at: z.int() })
export type NextCharge = z.infer<typeof nextChargeSchema>

/** A subscription as the gateway reported it at a single instant, reduced to what this service acts on. */
export interface GatewaySubscription {
  /** The gateway that has it. */
  gateway: GatewayName
  id: string
  status: SubscriptionState
  customerId: string
  /** Whose purchase it is, from the metadata that this service wrote; null if the subscription is not ours. */
  purchase: PurchaseReference | null
  /** Unix seconds, as are the next three. */
  createdAt: number
  currentPeriodEnd: number | null
  cancelAt: number | null
  endedAt: number | null
  /** The latest invoice. */
  invoiceId: string | null
  /** When the latest invoice was paid, Unix seconds; null if it was not. */
  invoicePaidAt: number | null
  /** Whether its first invoice was ever paid. If so, it was a purchase and has used its coupon. */
  wasPaid: boolean
  payment: PaymentOutcome
  /** What its price is reduced by; null if nothing, or if the gateway does not show it. */
  coupon: GatewayCoupon | null
  /** Null if it is no single amount, or if the subscription has several items. */
  price: RecurringPrice | null
  /**
   * After discounts and tax; null if nothing will be charged. Absent if this answer does not show it: a list shows only charges of
   * invoices that exist, and a preview may have failed.
   */
  nextCharge?: NextCharge | null
  /** Canceled as surplus: the next process that looks at it has to refund what was paid. */
  refundDue: boolean
  /** The latest change; null if no user asked for any here. */
  requested: RequestedChange | null
  /** This answer includes everything that the gateway did until then; Unix seconds of the gateway's clock. */
  coveredUntil: number
}

export interface SubscriptionItem {
  priceId: string
  /** The plan code; null if the price has none. */
  lookupKey: string | null
  gatewayProductId: string
  currency: string
  quantity: number
}

/** What a subscription sells, as the gateway lists it. This is only compared with what was sold here. */
export interface SubscriptionTerms {
  items: readonly SubscriptionItem[]
  currency: string
  /** A person paused collecting payments in the Dashboard. The subscription remains `active`. */
  collectionPaused: boolean
  couponIds: readonly string[]
  /** Unix seconds. */
  trialEnd: number | null
}

export interface ListedSubscription extends GatewaySubscription {
  terms: SubscriptionTerms
  /** When the card expires that pays for its renewals: its own, or else the customer's default. Absent if no card does. */
  payingCard?: { expMonth: number; expYear: number }
}

/**
 * The metadata of every gateway subscription: which purchase of which slot it belongs to. `redeemer` is the digest of the user who redeemed
 * its coupon; purchases without a coupon, and those of earlier versions, have none.
 */
export const purchaseReferenceSchema = z.object({
  organization_id: z.guid(),
  product: z.string(),
  plan_code: z.string(),
  n: z.coerce.number().check(z.int(), z.positive()),
  user_id: z.string(),
  redeemer: z.exactOptional(z.string()),
})
export type PurchaseReference = z.infer<typeof purchaseReferenceSchema>

/** The states in which a subscription needs a payment to become active, or active again. */
export const unpaidStates: readonly SubscriptionState[] = ['incomplete', 'past_due', 'unpaid']

const liveStatuses: readonly SubscriptionState[] = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

/** If a subscription is live, the product counts as already subscribed. */
export function isLive(status: SubscriptionState): boolean {
  return liveStatuses.includes(status)
}

/** When a subscription has ended, nothing can bring it back and the product may be bought anew. */
export function isEnded(status: SubscriptionState): boolean {
  return status === 'canceled'
}

/** Whether the first invoice was paid, or the customer may still pay an invoice that was sent. */
export function hasMoney({ wasPaid, payment }: GatewaySubscription): boolean {
  return wasPaid || payment.kind === 'invoice_open'
}

/**
 * Whether a crash left its refund undone: this service canceled it because it should not exist, but its payment was not refunded or its
 * open invoice not voided.
 */
export function isRefundDue(subscription: GatewaySubscription): boolean {
  return isEnded(subscription.status) && subscription.refundDue && hasMoney(subscription)
}

/** What an open payment waits for: the buyer's authentication (3-D Secure), another card, or a transfer for the invoice that was sent. */
export const openPaymentSchema = z.enum(['requires_action', 'declined', 'invoice_open'])
export type OpenPayment = z.infer<typeof openPaymentSchema>

/**
 * What the subscription's open payment waits for; null if nothing is open. When a subscription has ended, only an invoice that was sent is
 * still owed, unless paying it buys nothing, or it is surplus, whose invoices are voided. A renewal is charged without the buyer, so a card that asks for 3-D Secure is
 * declined. If the buyer pays on session, the same card is authenticated.
 */
export function openPaymentOf({ status, payment, refundDue }: GatewaySubscription): OpenPayment | null {
  const isOwed = payment.kind === 'invoice_open' && !payment.buysNothing && !refundDue
  if (payment.kind === 'none' || payment.kind === 'voided' || (isEnded(status) && !isOwed)) return null
  const wantsBuyer = payment.kind === 'declined' && payment.declineCode === 'authentication_required'
  return wantsBuyer && status !== 'incomplete' ? 'requires_action' : payment.kind
}

/** Whether the purchase was refused: its first invoice is unpaid, and no buyer is about to pay it. */
export function isDeclined({ status, payment }: GatewaySubscription): boolean {
  return status === 'incomplete' && (payment.kind === 'declined' || payment.kind === 'voided')
}
