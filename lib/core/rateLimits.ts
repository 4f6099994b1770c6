/** How many requests one principal may send in a window. Windows follow each other without a gap, aligned to the Unix epoch. */
export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** One principal's requests to one function in one window. Times are Unix seconds; the end belongs to the next window. */
export interface RateWindow {
  functionName: string
  /** Whoever shares an allowance: a user's id, or what tells callers apart that are not signed in. Stored as a digest only. */
  principal: string
  startsAt: number
  endsAt: number
}

/** Counts requests, for every instance of a function together. */
export interface RateLimits {
  /**
   * Counts one more request in its window unless `requests` are counted there already: true where it was. Of any number of
   * callers in one window, at any time, at most `requests` get true.
   * @throws CommonError `service_unavailable` when the store is away or takes more than two seconds; the request may be counted
   */
  admit(window: RateWindow, requests: number): Promise<boolean>
}
