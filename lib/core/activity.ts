import type { UserId } from './ids.ts'

/** The kinds of entries in a user's activity. */
export const activityTypes = [
  'sign_in',
  'second_step_failed',
  'password_changed',
  'password_reset',
  'factor_added',
  'factor_removed',
  'provider_connected',
  'provider_disconnected',
  'recovery_code_used',
  'email_changed',
  'session_ended',
  'client_allowed',
  'client_withdrawn',
  'deletion_requested',
  'restored',
] as const
export type ActivityType = (typeof activityTypes)[number]

/** Where a request comes from. */
export interface RequestOrigin {
  /** The client's network. */
  readonly sourceIp: string
  /** The header as it was sent. */
  readonly userAgent: string | undefined
  /** ISO 3166-1 alpha-2, as CloudFront knows it; undefined without CloudFront. */
  readonly country: string | undefined
}

/** Notes what happens to accounts. */
export interface ActivityRecorder {
  /**
   * Notes that this happened to the account, now, by the request that the code works for. Call it after the change. Never throws: an entry
   * that cannot be stored is logged, and undoes nothing.
   */
  record(userId: UserId, type: ActivityType): Promise<void>
}
