import * as z from 'zod/mini'
import { named } from '../http/schema.ts'

/** A deletion that was asked for, in the API: when the erasure begins at the earliest. */
export const deletionResource = named('ScheduledDeletion', z.strictObject({ deletion_at: z.iso.datetime() }))
