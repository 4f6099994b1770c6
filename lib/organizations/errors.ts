import { ServiceError } from '../core/errors.ts'

export type OrganizationErrorCode =
  | 'organization_not_found'
  | 'forbidden'
  | 'email_not_verified'
  | 'member_not_found'
  | 'last_owner'
  | 'already_member'
  | 'invitation_invalid'

/** The caller may not do this to an organization, or must not learn whether it exists. */
export class OrganizationError extends ServiceError<OrganizationErrorCode> {
  override readonly name = 'OrganizationError'
}
