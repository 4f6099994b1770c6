/** For how long a key is answered with what its first request was answered. */
export const KEY_LIFE_MS = 24 * 3600 * 1000

/** A success as it was answered. `body` is JSON. Never holds a secret: what does is not stored. */
export interface StoredAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
}

/** What is known of a key that was first used less than 24 h ago. Times are Unix milliseconds. */
export interface KeyRecord {
  /** SHA-256 of the body that the key was first sent with. */
  bodyDigest: string
  /** A UUID that was drawn with the first use: each execution under the key creates the thing with this id. */
  resourceId: string
  /** Until when an execution may be under way. */
  leaseUntil: number
  /** Undefined until an execution has succeeded. */
  answer?: StoredAnswer | undefined
}

/**
 * Keys of requests (header `Idempotency-Key`) and what they were answered. `key` is a digest that is unique to user, operation, resource
 * and header. Reads are consistent, every write is one conditional call. Throws CommonError `service_unavailable`.
 */
export interface IdempotencyKeys {
  /** The record of a key; undefined for one that is new, or older than 24 h. */
  find(key: string, now: number): Promise<KeyRecord | undefined>
  /**
   * Begins an execution, and returns the record that it holds: `use` for a key without one, else the stored record with the new lease. Of
   * concurrent callers with a lease exactly one begins; with `leaseUntil` of `now` all do. Undefined, and nothing is written, where the key
   * has an answer, another body, or an execution under way: read again.
   */
  begin(key: string, use: Omit<KeyRecord, 'answer'>, now: number): Promise<KeyRecord | undefined>
  /** Stores the answer of an execution, unless one is stored already. */
  complete(key: string, held: KeyRecord, answer: StoredAnswer): Promise<void>
  /** Ends the lease of an execution that failed, so that the next one need not wait for it. */
  release(key: string, held: KeyRecord): Promise<void>
}
