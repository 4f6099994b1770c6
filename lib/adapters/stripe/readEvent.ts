import * as z from 'zod/mini'
import { BillingError } from '../../billing/errors.ts'
import type {
  EventPointer,
  GatewayEvent,
  GatewayEventType,
  SubscriptionEventType,
} from '../../billing/gateway/gatewayEvent.ts'
import { purchaseReferenceSchema } from '../../billing/gateway/subscription.ts'
import { principalIdSchema } from '../../core/ids.ts'
import { idOf } from './idOf.ts'

const purchase = z.catch(z.nullable(purchaseReferenceSchema), null)
const organization = z.pipe(
  z.object({ organization_id: z.string() }),
  z.transform((metadata) => metadata.organization_id),
)
const organizationId = z.catch(z.nullable(organization), null)
const user = z.pipe(
  z.object({ user_id: principalIdSchema }),
  z.transform((metadata) => metadata.user_id),
)
const userId = z.catch(z.nullable(user), null)

/** An event without one is projected all the same. It only announces no payment. */
const announcedId = z.catch(z.optional(z.string()), undefined)

const envelopeSchema = z.object({
  id: announcedId,
  type: z.string(),
  created: z.number(),
  // As it is: each reader below parses its few members.
  data: z.object({
    object: z.custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    ),
  }),
})
/** A thin event only names its object, which it does not carry. */
const thinEventSchema = z.object({ object: z.literal('v2.core.event') })

type Envelope = z.infer<typeof envelopeSchema>

const subscriptionSchema = z.object({ id: z.string(), customer: idOf, metadata: purchase })
const invoiceSchema = z.object({
  id: announcedId,
  customer: idOf,
  billing_reason: z.nullish(z.string()),
  parent: z.object({ subscription_details: z.object({ subscription: idOf, metadata: purchase }) }),
})
const setupIntentSchema = z.object({ customer: idOf, payment_method: idOf, metadata: z.unknown() })
const customerSchema = z.object({ id: z.string(), metadata: organizationId })

const readers = {
  'customer.subscription.created': readSubscriptionEvent('customer.subscription.created'),
  'customer.subscription.updated': readSubscriptionEvent('customer.subscription.updated'),
  'customer.subscription.deleted': readSubscriptionEvent('customer.subscription.deleted'),
  'customer.subscription.paused': readSubscriptionEvent('customer.subscription.paused'),
  'customer.subscription.resumed': readSubscriptionEvent('customer.subscription.resumed'),
  'invoice.paid': readInvoiceEvent('invoice.paid'),
  'invoice.payment_failed': readInvoiceEvent('invoice.payment_failed'),
  'invoice.payment_action_required': readInvoiceEvent('invoice.payment_action_required'),
  'invoice.finalized': readSentInvoiceEvent('invoice.finalized'),
  // No event of the subscription says that it has nothing to pay any more, or that its purchase can no longer be paid.
  'invoice.voided': readInvoiceEvent('invoice.voided'),
  'invoice.marked_uncollectible': readSentInvoiceEvent('invoice.marked_uncollectible'),
  'setup_intent.succeeded': readCardSetUp,
  'payment_method.detached': () => ({ kind: 'card_removed' }),
  'customer.deleted': readCustomerDeleted,
} as const satisfies Record<GatewayEventType, (event: Envelope) => EventPointer>

/**
 * Reduces a verified event to the object that it points at. If the object of a projected type is not as expected, such
 * as an invoice without a subscription, the event is `other`: it concerns nothing here.
 * @throws z.core.$ZodError if it is no event at all; BillingError `thin_event`
 */
export function readEvent(payload: unknown): GatewayEvent {
  if (thinEventSchema.safeParse(payload).success) throw new BillingError('thin_event')
  const event = envelopeSchema.parse(payload)
  const pointer = isProjected(event.type) ? readers[event.type](event) : other(event)
  return { ...pointer, created: event.created }
}

function isProjected(type: string): type is GatewayEventType {
  return Object.hasOwn(readers, type)
}

function readSubscriptionEvent(type: SubscriptionEventType) {
  return (event: Envelope): EventPointer => {
    const { data } = subscriptionSchema.safeParse(event.data.object)
    if (!data) return other(event)
    const { id, customer, metadata } = data
    return {
      kind: 'subscription',
      type,
      subscriptionId: id,
      customerId: customer,
      purchase: metadata,
    }
  }
}

function readInvoiceEvent(type: SubscriptionEventType) {
  return (event: Envelope): EventPointer => {
    const { data } = invoiceSchema.safeParse(event.data.object)
    if (!data) return other(event)
    const { subscription, metadata } = data.parent.subscription_details
    return {
      kind: 'subscription',
      type,
      subscriptionId: subscription,
      customerId: data.customer,
      purchase: metadata,
      ...(data.billing_reason === 'subscription_create' && { isFirstInvoice: true }),
      ...(data.id !== undefined && event.id !== undefined && { invoice: { id: data.id, eventId: event.id } }),
    }
  }
}

/** When a card is charged, the events of the subscription report the result. */
function readSentInvoiceEvent(type: SubscriptionEventType) {
  const read = readInvoiceEvent(type)
  return (event: Envelope): EventPointer =>
    event.data.object.collection_method === 'send_invoice' ? read(event) : other(event)
}

function readCardSetUp(event: Envelope): EventPointer {
  const { data } = setupIntentSchema.safeParse(event.data.object)
  if (!data) return other(event)
  const { customer, payment_method, metadata } = data
  return {
    kind: 'card_set_up',
    customerId: customer,
    paymentMethodId: payment_method,
    organizationId: organizationId.parse(metadata),
    by: userId.parse(metadata),
  }
}

function readCustomerDeleted(event: Envelope): EventPointer {
  const { data } = customerSchema.safeParse(event.data.object)
  return data ? { kind: 'customer_deleted', customerId: data.id, organizationId: data.metadata } : other(event)
}

function other({ type }: Envelope): EventPointer {
  return { kind: 'other', type }
}
