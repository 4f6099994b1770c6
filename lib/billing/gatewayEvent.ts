import type { PurchaseReference } from './subscription.ts'

/** The gateway's event types that change something here; any other type is acknowledged and counted. */
export type SubscriptionEventType =
  | 'customer.subscription.created'
  | 'customer.subscription.updated'
  | 'customer.subscription.deleted'
  | 'customer.subscription.paused'
  | 'customer.subscription.resumed'
  | 'invoice.paid'
  | 'invoice.payment_failed'
  | 'invoice.payment_action_required'

/** A verified event, reduced to what it points at: state is fetched, never taken from the event. */
export type GatewayEvent =
  | {
      kind: 'subscription'
      type: SubscriptionEventType
      /** Unix seconds of the gateway's clock, to the second: no order can be read from it. */
      created: number
      subscriptionId: string
      customerId: string
      purchase: PurchaseReference | null
    }
  | { kind: 'card_set_up'; customerId: string; paymentMethodId: string; organizationId: string | null }
  | { kind: 'card_removed' }
  | { kind: 'customer_deleted'; customerId: string; organizationId: string | null }
  | { kind: 'other'; type: string }
