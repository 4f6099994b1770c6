import * as z from 'zod/mini'
import type { HeardType } from '../app/types.ts'

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

/** The types to choose from: those that the form knows, and others that the endpoint hears already, such as those of a newer API. */
export function offeredTypes(heard: readonly HeardType[] | null): HeardType[] {
  return [...new Set([...eventTypes, ...(heard ?? [])])]
}

/** What an owner enters of an endpoint, as it was kept. `event_types` is null for every type. */
export const endpointDraft = z.object({
  url: z.string(),
  description: z.string(),
  event_types: z.nullable(z.array(z.custom<HeardType>((type) => typeof type === 'string'))),
})

export type EndpointDraft = z.output<typeof endpointDraft>

export const emptyDraft: EndpointDraft = { url: '', description: '', event_types: null }
