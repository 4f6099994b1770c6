/** How many requests a principal may send in a window. Windows are contiguous and aligned to the Unix epoch. */
export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** The limit of a function. If requests cannot be counted, `open` serves them and `closed` refuses them. */
export interface FunctionRateLimit extends RateLimit {
  readonly functionName: string
  readonly failMode: 'open' | 'closed'
}

/** The window in which a principal's requests to a function are counted. Times are Unix seconds; the end belongs to the next window. */
export interface RateWindow {
  functionName: string
  /** The user's id, or what distinguishes callers who are not signed in. Stored as a digest only. */
  principal: string
  startsAt: number
  endsAt: number
}

/** Requests to an organization that an operator throttles are counted under this name, whichever function they are for. No function has it. */
export const THROTTLE_COUNT = 'organization-throttle'

/** Counts requests across all instances of a function. */
export interface RateLimits {
  /**
   * Counts a request in its window if fewer than `requests` are counted there. Returns how many more it will count; undefined if it did not
   * count this request: at most `requests` concurrent or later callers in a window get a number.
   * @throws CommonError `service_unavailable` if the store is unavailable or takes more than two seconds; the request may count
   */
  admit(window: RateWindow, requests: number): Promise<number | undefined>
}
