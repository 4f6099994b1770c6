import * as z from 'zod/mini'
import { languages } from './language.ts'

const DAY = 24 * 60 * 60_000

/** How long a deletion can be undone; what is left of sessions, codes and tokens by then has expired by itself. */
export const GRACE = 30 * DAY
/** How long before the erasure its reminder is sent. */
export const REMINDER = 3 * DAY

/** A deletion that was asked for. Times are Unix milliseconds. */
export const deletionSchema = z.object({
  requestedAt: z.int(),
  /** The erasure begins at this time or later, never earlier. */
  eraseAfter: z.int(),
  /** Of the request, and so of the mails that follow. */
  language: z.enum(languages),
  /** Since when it cannot be undone; undefined before the erasure has begun. */
  erasingSince: z.optional(z.int()),
})

export type Deletion = z.output<typeof deletionSchema>

/** A deletion as it is kept to be found when its time comes. */
export interface DueDeletion<Id> {
  readonly step: 'remind' | 'erase'
  readonly id: Id
  /** Of the deletion; Unix milliseconds. */
  readonly eraseAfter: number
}

/** A deletion that was asked for, in the API: when the erasure begins at the earliest. */
export const deletionResource = z
  .strictObject({ deletion_at: z.iso.datetime() })
  .register(z.globalRegistry, { id: 'ScheduledDeletion' })
