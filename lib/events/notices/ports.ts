import type { OrganizationId } from '../../core/ids.ts'

/** An endpoint that was disabled because it failed for five days. Its organization's owners get a mail. */
export interface EndpointNotice {
  readonly organizationId: OrganizationId
  readonly endpointId: string
  readonly url: string
  /** When it was disabled; Unix milliseconds. */
  readonly at: number
}

/** Notices whose mails are not sent yet. Throws CommonError `service_unavailable`. */
export interface EndpointNotices {
  /** The notices that are due at `now` (Unix milliseconds), the earliest first. Consistent. */
  listDue(now: number): Promise<EndpointNotice[]>
  /** Whether this run alone may send it. Until `until` (Unix milliseconds) no other run claims it. */
  claim(notice: EndpointNotice, times: { now: number; until: number }): Promise<boolean>
  remove(notice: EndpointNotice): Promise<void>
}
