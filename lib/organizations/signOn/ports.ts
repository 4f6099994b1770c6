import type { Caller } from '../../core/identity.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { AuditEntry } from '../ports.ts'

/** The single sign-on of an organization: its own OpenID provider. */
export interface CompanySignOn {
  readonly organizationId: OrganizationId
  readonly issuer: string
  readonly clientId: string
  /** The client secret as `ProviderSecretCipher` encrypted it, with the organization as its owner. */
  readonly cipher: string
  /** Members with an address of a verified domain reach the organization by it alone. */
  readonly isEnforced: boolean
  /** Whether two factors at the provider count as such. */
  readonly trustAcr: boolean
  /** The owner who enforced it: not bound by it. Left out while it is not enforced. */
  readonly breakGlassUserId?: UserId | undefined
  /** Unix milliseconds. */
  readonly updatedAt: number
}

/** An owner's change, with its entry in the audit log. */
export interface SignOnWrite {
  readonly by: Caller
  readonly entry: AuditEntry
}

/**
 * The single sign-ons of organizations, at most one each. Reads are consistent. Every write is a transaction with its audit entry and with the
 * rule that the organization itself has (`Organization.signOn`), made while `by` is an owner with a live grant; otherwise `conflict`: read
 * again. Throws CommonError `service_unavailable`.
 */
export interface CompanySignOns {
  find(organizationId: OrganizationId): Promise<CompanySignOn | undefined>
  /** Replaces an earlier sign-on. `domain_required`: the organization has no verified domain. */
  put(signOn: CompanySignOn, write: SignOnWrite): Promise<'written' | 'conflict' | 'domain_required'>
  /** Removes it, and the rule with it. `none`: there is none. */
  remove(organizationId: OrganizationId, write: SignOnWrite): Promise<'written' | 'conflict' | 'none'>
}
