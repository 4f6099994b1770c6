import * as z from 'zod/mini'
import { languages } from './language.ts'

const DAY = 24 * 60 * 60_000

/** How long a deletion can be undone. By then all remaining sessions, codes and tokens have expired. */
export const GRACE = 30 * DAY
/** How long before the erasure the reminder is sent. */
export const REMINDER = 3 * DAY

/** A scheduled deletion. Times are Unix milliseconds. */
export const deletionSchema = z.object({
  requestedAt: z.int(),
  /** The erasure begins at this time or later, never earlier. */
  eraseAfter: z.int(),
  /** The language of the request, and so of the mails that follow. */
  language: z.enum(languages),
  /** When the erasure began, after which it cannot be undone; undefined before that. */
  erasingSince: z.optional(z.int()),
})

export type Deletion = z.output<typeof deletionSchema>

/** A step of a deletion, stored by the time when it is due. */
export interface DueDeletion<Id> {
  readonly step: 'remind' | 'erase'
  readonly id: Id
  /** Of the deletion; Unix milliseconds. */
  readonly eraseAfter: number
}

/** A scheduled deletion in the API: when the erasure begins at the earliest. */
export const deletionResource = z
  .strictObject({
    deletion_at: z.iso
      .datetime()
      .register(z.globalRegistry, { description: 'When the erasure begins at the earliest' }),
  })
  .register(z.globalRegistry, { id: 'ScheduledDeletion' })
