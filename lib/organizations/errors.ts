import { ServiceError } from '../core/errors.ts'

export type OrganizationErrorCode =
  | 'organization_not_found'
  | 'forbidden'
  | 'second_factor_required'
  | 'client_not_allowed'
  | 'email_not_verified'
  | 'member_not_found'
  | 'last_owner'
  | 'break_glass_owner'
  | 'member_deleting'
  | 'already_member'
  | 'invitation_invalid'
  | 'invitation_not_found'
  | 'api_client_not_found'
  | 'too_many_api_clients'
  | 'api_client_rotating'
  | 'organization_deleting'
  | 'organization_subscribed'
  | 'organization_owes'
  | 'domain_not_found'
  | 'domain_not_proven'
  | 'domain_taken'
  | 'too_many_domains'
  | 'domain_required'
  | 'sso_not_found'

/** A refused operation on an organization, or an organization whose existence the caller must not learn. */
export class OrganizationError extends ServiceError<OrganizationErrorCode> {
  override readonly name: string = 'OrganizationError'
}

/** The roles that are more than a membership. */
export type PowerfulRole = 'owner' | 'billing_admin'

/** An operation that the caller's role does not allow; `needed` is the least powerful role that does. */
export class ForbiddenError extends OrganizationError {
  override readonly name = 'ForbiddenError'
  readonly needed: PowerfulRole

  constructor(needed: PowerfulRole) {
    super('forbidden', { message: `needs the role ${needed}` })
    this.needed = needed
  }
}

/** An organization that cannot be deleted while it holds subscriptions, or purchases under way, of these products. */
export class OrganizationSubscribedError extends OrganizationError {
  override readonly name = 'OrganizationSubscribedError'
  readonly products: readonly string[]

  constructor(products: readonly string[]) {
    super('organization_subscribed')
    this.products = products
  }
}

/** An organization that cannot be deleted while it owes these invoices. */
export class OrganizationOwesError extends OrganizationError {
  override readonly name = 'OrganizationOwesError'
  readonly invoices: readonly string[]

  constructor(invoices: readonly string[]) {
    super('organization_owes')
    this.invoices = invoices
  }
}

/** A domain whose proof is not there now: no TXT record, only others, or the name servers do not answer. */
export class DomainNotProvenError extends OrganizationError {
  override readonly name = 'DomainNotProvenError'
  readonly reason: 'no_record' | 'other_value' | 'no_answer'

  constructor(reason: DomainNotProvenError['reason']) {
    super('domain_not_proven')
    this.reason = reason
  }
}
