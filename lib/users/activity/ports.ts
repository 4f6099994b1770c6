import type { ActivityType } from '../../core/activity.ts'
import type { UserId } from '../../core/ids.ts'

/** Something that happened to an account, as stored. It is personal data, erased with the user. */
export interface ActivityEntry {
  /** A UUID. */
  id: string
  /** Unix milliseconds. */
  at: number
  type: ActivityType
  /** As `NameBrowser` names it. */
  browser?: string | undefined
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined
  /** The network of the client; undefined if no request caused it. */
  sourceIp?: string | undefined
}

/** An entry as it is read. Another version may have written other types. */
export type StoredActivityEntry = Omit<ActivityEntry, 'type'> & { type: string }

/** Entries, newest first. `next` is the start of the next page, absent on the last page. */
export interface ActivityPage {
  entries: readonly StoredActivityEntry[]
  next?: string
}

/** What happened to accounts in the last 90 days. Throws CommonError `service_unavailable`. */
export interface ActivityLog {
  /** Adds an entry; safe to repeat. */
  add(userId: UserId, entry: ActivityEntry): Promise<void>
  /** A page of a user's entries, consistent. `now` is Unix milliseconds. */
  list(userId: UserId, page: { limit: number; from?: string | undefined; now: number }): Promise<ActivityPage>
}
