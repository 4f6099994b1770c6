import type { Caller } from '../../core/identity.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { AuditEntry, Organization } from '../ports.ts'
import type { NextCheck } from './decideCheck.ts'

/** `lost`: it was verified, and its proof is gone. */
export const domainStatuses = ['pending', 'verified', 'lost'] as const
export type DomainStatus = (typeof domainStatuses)[number]

/** What a verified domain does for people with an address there: nothing, offer them the organization, or let them join. */
export const domainMemberships = ['none', 'offer', 'join'] as const
export type DomainMembership = (typeof domainMemberships)[number]

/** A domain of an organization. Several organizations may add a domain; it is verified for at most one of them. */
export interface Domain {
  readonly organizationId: OrganizationId
  /** A UUID. */
  readonly id: string
  /** As `parseDomainName` writes it. */
  readonly name: string
  readonly status: DomainStatus
  /** The value of the TXT record that proves it. */
  readonly proof: string
  readonly membership: DomainMembership
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** An owner's change, with its entry in the audit log. */
export interface DomainWrite {
  readonly by: Caller
  readonly entry: AuditEntry
}

/**
 * The domains of organizations. Reads are consistent. Every write is a transaction with its audit entry, made while `by` is an owner with a live
 * grant and the domain is as it was read; otherwise `conflict`: read again. Throws CommonError `service_unavailable`.
 */
export interface Domains {
  /** Ordered by name. */
  list(organizationId: OrganizationId): Promise<Domain[]>
  /** `exists`: the organization has a domain of this name already. `too_many`: it has `MAX_DOMAINS`. `conflict` also while it is being deleted. */
  add(domain: Domain, write: DomainWrite): Promise<'written' | 'conflict' | 'exists' | 'too_many'>
  /**
   * Makes the domain the organization’s own, to be checked again at `checkAt` (Unix milliseconds). `taken`: another organization has it.
   * `conflict` also while the organization is being deleted.
   */
  verify(domain: Domain, checkAt: number, write: DomainWrite): Promise<'written' | 'conflict' | 'taken'>
  setMembership(domain: Domain, membership: DomainMembership, write: DomainWrite): Promise<'written' | 'conflict'>
  delete(domain: Domain, write: DomainWrite): Promise<'written' | 'conflict'>
}

/** An organization that takes people with an address of its verified domain. */
export interface DomainOffer {
  readonly organization: Organization
  readonly domain: string
  readonly membership: Exclude<DomainMembership, 'none'>
}

/** Who joins: a user with exactly this verified address; with a live grant if `caller` is given. */
export interface DomainJoiner {
  readonly userId: UserId
  readonly email: string
  readonly caller?: Caller | undefined
}

/** Who comes by a domain. Reads are consistent. Throws CommonError `service_unavailable`. */
export interface DomainMembers {
  /**
   * Undefined if no organization has the domain verified or takes people by it, if it is being deleted, and for users who are members, were removed,
   * left or declined.
   */
  find(domain: string, userId: UserId): Promise<DomainOffer | undefined>
  /** Makes the joiner a member, with the entry and the event, while `find` would find the offer. `conflict`: read again. */
  join(offer: DomainOffer, joiner: DomainJoiner, entry: AuditEntry): Promise<'written' | 'conflict'>
  /** The organization is not offered to the user again. */
  decline(offer: DomainOffer, joiner: DomainJoiner, entry: AuditEntry): Promise<'written' | 'conflict'>
}

/** A verified domain whose check is due, with what earlier checks found. */
export interface DueCheck extends Pick<Domain, 'organizationId' | 'id' | 'name'>, NextCheck {}

/**
 * The checks of verified domains. A write fails with `conflict` if the domain was deleted, verified again or checked since it was read. Throws
 * CommonError `service_unavailable`.
 */
export interface DomainChecks {
  /** The domains that are due at `now` (Unix milliseconds), the earliest first. Consistent. */
  listDue(now: number): Promise<DueCheck[]>
  /** The domain as it is; undefined if the organization has it verified no longer. */
  find(due: DueCheck): Promise<Domain | undefined>
  postpone(due: DueCheck, next: NextCheck): Promise<'written' | 'conflict'>
  /** The domain is `lost`, and free for others; in a transaction with the entry. */
  lose(due: DueCheck, entry: AuditEntry): Promise<'written' | 'conflict'>
}

/** `no_answer`: the name servers did not answer, or refused to, so nothing is known of the name. */
export type TxtAnswer =
  | { readonly kind: 'answered'; readonly values: readonly string[] }
  | { readonly kind: 'no_answer' }

/** Asks for the TXT records of a name: none if the name does not exist. The parts of a record are one value. Never throws. */
export type LookUpTxt = (name: string) => Promise<TxtAnswer>
