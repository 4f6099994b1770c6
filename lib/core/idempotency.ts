/** How long the answer to a key is kept. */
export const KEY_LIFE_MS = 24 * 3600 * 1000

/** A successful answer. `body` is JSON. Never contains a secret: such answers are not stored. */
export interface StoredAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
}

/** The record of a key that was first used less than 24 h ago. Times are Unix milliseconds. */
export interface KeyRecord {
  /** SHA-256 of the first body sent with the key. */
  bodyDigest: string
  /** A random UUID from the first use: every execution under the key creates an object with this id. */
  resourceId: string
  /** When the lease of a running execution ends. */
  leaseUntil: number
  /** Undefined until an execution has succeeded. */
  answer?: StoredAnswer | undefined
}

/**
 * Keys of requests (header `Idempotency-Key`) and their answers. `key` is a digest that is unique to user, operation, resource and header.
 * Reads are consistent; every write is a single conditional call. Throws CommonError `service_unavailable`.
 */
export interface IdempotencyKeys {
  /** The record of a key; undefined if it is new, or older than 24 h. */
  find(key: string, now: number): Promise<KeyRecord | undefined>
  /**
   * Begins an execution, and returns its record: `use` if the key has no record, otherwise the stored record with the new lease. Of
   * concurrent callers with a lease exactly one begins; if `leaseUntil` is `now`, all do. If the key has an answer, another body, or a
   * running execution, writes nothing and returns undefined: read again.
   */
  begin(key: string, use: Omit<KeyRecord, 'answer'>, now: number): Promise<KeyRecord | undefined>
  /** Stores the answer of an execution, if none is stored yet. */
  complete(key: string, held: KeyRecord, answer: StoredAnswer): Promise<void>
  /** Ends the lease of a failed execution, so the next execution need not wait. */
  release(key: string, held: KeyRecord): Promise<void>
}
