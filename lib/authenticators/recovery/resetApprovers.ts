import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Organization, OwnOrganization } from '../../organizations/ports.ts'
import type { Account, User } from '../../users/ports.ts'
import type { FactorResetDeps } from '../deps.ts'

/** More are neither shown nor mailed. */
const MOST_OWNERS = 20

/** An organization of the user whose other owners may approve a request, and these owners. */
export interface ResetApprovers {
  readonly organization: Organization
  readonly owners: readonly Pick<User, 'id' | 'username' | 'email'>[]
}

/**
 * Whether owners of this organization may approve for a user of these organizations: only if the user owns no other. If one owner of any
 * organization could, an accomplice there would reach the others.
 */
export function mayApproveIn(organizationId: OrganizationId, own: readonly OwnOrganization[]): boolean {
  return own.every(({ organization, role }) => role !== 'owner' || organization.id === organizationId)
}

/**
 * Who may approve the user's request now: the active owners of the user's organizations. Never stored, because owners change.
 * @throws CommonError `service_unavailable`
 */
export async function listApprovers(
  { organizations, accounts }: Pick<FactorResetDeps, 'organizations' | 'accounts'>,
  { user, securityRev }: Pick<Account, 'user' | 'securityRev'>,
): Promise<ResetApprovers[]> {
  const own = await organizations.list({ userId: user.id, securityRev })
  const places = own.filter(({ organization }) => mayApproveIn(organization.id, own))
  const found = await Promise.all(
    places.map(async ({ organization }) => {
      const { members } = await organizations.readMembers(organization.id)
      const others = members.filter(({ role, userId }) => role === 'owner' && userId !== user.id)
      return { organization, owners: await activeAmong({ accounts }, others.slice(0, MOST_OWNERS)) }
    }),
  )
  return found.filter(({ owners }) => owners.length > 0)
}

async function activeAmong(
  { accounts }: Pick<FactorResetDeps, 'accounts'>,
  owners: readonly { readonly userId: UserId }[],
): Promise<User[]> {
  const found = await Promise.all(owners.map(({ userId }) => accounts.find(userId)))
  return found.flatMap((account) => (account?.user.isActive ? [account.user] : []))
}
