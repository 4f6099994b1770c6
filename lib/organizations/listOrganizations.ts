import type { UserId } from '../core/ids.ts'
import type { Organizations, OwnOrganization } from './ports.ts'

/** A user's organizations, oldest first, then by id. */
export async function listOrganizations(
  organizations: Pick<Organizations, 'list'>,
  userId: UserId,
): Promise<OwnOrganization[]> {
  const own = await organizations.list(userId)
  const rank = ({ organization }: OwnOrganization) => `${organization.createdAt} ${organization.id}`
  return own.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
