import * as z from 'zod/mini'
import { factTypes } from '../../../../lib/events/eventTypes.ts'
import type { HeardType } from '../app/types.ts'

/** The types to choose from: those that the form knows, and others that the endpoint hears already, such as those of a newer API. */
export function offeredTypes(heard: readonly HeardType[] | null): HeardType[] {
  return [...new Set([...factTypes, ...(heard ?? [])])]
}

/** What an owner enters of an endpoint, as it was kept. `event_types` is null for every type. */
export const endpointDraft = z.object({
  url: z.string(),
  description: z.string(),
  event_types: z.nullable(z.array(z.custom<HeardType>((type) => typeof type === 'string'))),
})

export type EndpointDraft = z.output<typeof endpointDraft>

export const emptyDraft: EndpointDraft = { url: '', description: '', event_types: null }
