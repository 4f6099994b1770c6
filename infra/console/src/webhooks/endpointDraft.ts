import * as z from 'zod/mini'

/** The types of events that an endpoint can hear, in the order in which they are shown. */
export const eventTypes = [
  'entitlement.changed',
  'subscription.changed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.overdue',
  'member.added',
  'member.removed',
  'member.role_changed',
  'organization.created',
  'organization.deleted',
  'user.deleted',
] as const

/** What an owner enters of an endpoint, as it was kept. `event_types` is null for every type. */
export const endpointDraft = z.object({
  url: z.string(),
  description: z.string(),
  event_types: z.nullable(z.array(z.enum(eventTypes))),
})

export type EndpointDraft = z.output<typeof endpointDraft>

export const emptyDraft: EndpointDraft = { url: '', description: '', event_types: null }
