import { type OrganizationId, organizationIdSchema, type PrincipalId } from '../../core/ids.ts'
import type { PurchaseReference } from './subscription.ts'

/** The gateway's events about a subscription. `invoice.finalized` and `invoice.marked_uncollectible` matter only if invoices are sent to the customer. */
export const subscriptionEventTypes = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalized',
  'invoice.voided',
  'invoice.marked_uncollectible',
] as const
export type SubscriptionEventType = (typeof subscriptionEventTypes)[number]

/** The gateway's event types that change something here. Any other type is acknowledged and counted. */
export const gatewayEventTypes = [
  ...subscriptionEventTypes,
  'setup_intent.succeeded',
  'payment_method.detached',
  'customer.deleted',
] as const
export type GatewayEventType = (typeof gatewayEventTypes)[number]

/** What an event points at. State is always fetched, never taken from the event. */
export type EventPointer =
  | {
      kind: 'subscription'
      type: SubscriptionEventType
      subscriptionId: string
      customerId: string
      purchase: PurchaseReference | null
      /** Set if the event is about the invoice of the purchase itself, not of a renewal. */
      isFirstInvoice?: true
      /** Which invoice the event is about, and what the gateway calls the event: a repetition has the same name. */
      invoice?: { id: string; eventId: string }
    }
  | {
      kind: 'card_set_up'
      customerId: string
      paymentMethodId: string
      organizationId: string | null
      /** Who set it up; null if the card was not set up here. */
      by: PrincipalId | null
    }
  | { kind: 'card_removed' }
  | { kind: 'customer_deleted'; customerId: string; organizationId: string | null }
  | { kind: 'other'; type: string }

/** A verified event: what it points at, and when it happened. */
export type GatewayEvent = EventPointer & {
  /** Unix seconds of the gateway's clock: too coarse to order events by. */
  created: number
}

/** The organization that an event names, if any. Only that organization's record shows whether the event is about it. */
export function organizationOf(event: GatewayEvent): OrganizationId | undefined {
  return organizationIdSchema.safeParse(namedOrganization(event)).data
}

function namedOrganization(event: GatewayEvent): string | null | undefined {
  switch (event.kind) {
    case 'subscription':
      return event.purchase?.organization_id
    case 'card_set_up':
    case 'customer_deleted':
      return event.organizationId
    case 'card_removed':
    case 'other':
      return null
  }
}
