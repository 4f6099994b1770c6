import { ServiceError } from '../core/errors.ts'

export type OrganizationErrorCode = 'organization_not_found' | 'forbidden'

/** The caller may not act on this organization, or must not learn whether it exists. */
export class OrganizationError extends ServiceError<OrganizationErrorCode> {
  override readonly name = 'OrganizationError'
}
