import type { UserId } from '../core/ids.ts'

/** What a user has allowed a client. */
export interface OwnConsent {
  readonly clientId: string
  readonly scope: string
  /** Unix milliseconds. */
  readonly givenAt: number
}

/** What is kept under a user, without anything that lets others in. Throws CommonError `service_unavailable`. */
export interface OwnRecords {
  listConsents(userId: UserId): Promise<OwnConsent[]>
}
