/** The service's only source of time: leases, token expiry and signature tolerances read it. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number
  /** Called once at the start of every invocation. A clock that follows another clock reads it here. */
  sync(): Promise<void>
}

/** Unix milliseconds as RFC 3339 in UTC, to the second: `2026-11-20T08:00:00Z`. */
export function toRfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

/** Unix seconds, as Stripe gives them, as RFC 3339 in UTC; null for no time. */
export function secondsToRfc3339(seconds: number | null | undefined): string | null {
  return seconds === null || seconds === undefined ? null : toRfc3339(seconds * 1000)
}
