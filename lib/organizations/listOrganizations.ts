import type { Caller } from '../core/identity.ts'
import type { Organizations, OwnOrganization } from './ports.ts'

/** The caller's organizations, oldest first, then by id. */
export async function listOrganizations(
  organizations: Pick<Organizations, 'list'>,
  caller: Caller,
): Promise<OwnOrganization[]> {
  const own = await organizations.list(caller)
  const rank = ({ organization }: OwnOrganization) => `${organization.createdAt} ${organization.id}`
  return own.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
