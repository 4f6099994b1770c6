import * as z from 'zod/mini'

/** A deletion that was asked for, in the API: when the erasure begins at the earliest. */
export const deletionResource = z
  .strictObject({ deletion_at: z.iso.datetime() })
  .register(z.globalRegistry, { id: 'ScheduledDeletion' })
