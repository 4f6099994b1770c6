import * as z from 'zod/mini'

/** Facts that other systems hear about: the resource and what happened to it. */
export const factTypes = [
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
export type FactType = (typeof factTypes)[number]

/** `endpoint.test` is sent on request, to one endpoint. It has no sequence number and is in no list of events. */
export const eventTypes = [...factTypes, 'endpoint.test'] as const
export const eventTypeSchema = z.enum(eventTypes)
export type EventType = z.infer<typeof eventTypeSchema>
