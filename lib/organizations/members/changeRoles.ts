import type { UserId } from '../../core/ids.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { authorizeMember, type OrganizationRequest } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import { type MemberChangeKind, type NotifyOfChangeDeps, notifyOfChange } from '../notifyOfChange.ts'
import type { Permission } from '../permissions.ts'
import type { AuditEntry, MembershipView, Organizations, OwnOrganization, RoleChange } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'

interface RoleRequest extends OrganizationRequest {
  /** The member whose role changes, who may be the caller. */
  memberId: UserId
  permission: Permission
}

export interface RoleDeps extends AuditDeps, NotifyOfChangeDeps {
  clock: AuditDeps['clock']
  organizations: Pick<Organizations, 'read' | 'readMembers' | 'changeRoles'>
}

/** Changes of roles, with their audit entry. */
interface RoleDecision extends Pick<AuditEntry, 'action' | 'target' | 'detail'> {
  changes: readonly RoleChange[]
}

/**
 * Writes the role changes that `decide` returns, but only while the state it decided on is current; decides again after a conflict. Writes
 * nothing for null. Mails the member and the owners if an owner was made or deposed, or a member was removed.
 * @returns the organization and the caller's role before the change
 * @throws OrganizationError `organization_not_found`, `forbidden`, `last_owner`, `member_deleting`; what `decide` throws
 */
export async function changeRoles(
  deps: RoleDeps,
  { organizationId, caller, memberId, permission }: RoleRequest,
  decide: (own: OwnOrganization, memberRole: ReturnType<MembershipView['roleOf']>) => RoleDecision | null,
): Promise<OwnOrganization> {
  const { own, decision } = await retryOnConflict(async () => {
    const view = await deps.organizations.read(organizationId, caller, [memberId])
    const own = authorizeMember(view, caller.userId, permission)
    const decision = decide(own, view.roleOf(memberId))
    if (decision === null) return { own, decision }
    const { changes, ...done } = decision
    const entry = entryBy(deps, { organizationId, caller }, done)
    const outcome = await deps.organizations.changeRoles(organizationId, { by: caller, changes, entry })
    if (outcome === 'last_owner' || outcome === 'member_deleting') throw new OrganizationError(outcome)
    return outcome === 'written' ? { own, decision } : outcome
  })
  const kind = decision && changeOf(decision, memberId)
  if (kind) await notifyOfChange(deps, { organization: own.organization, actor: caller.userId, member: memberId, kind })
  return own
}

/** How a decision changes who has power; undefined if it does not. */
function changeOf({ action, changes }: RoleDecision, memberId: UserId): MemberChangeKind | undefined {
  if (action === 'organization.transferred') return 'transferred'
  const change = changes.find(({ userId }) => userId === memberId)
  if (action === 'member.left') return change?.from === 'owner' ? 'left' : undefined
  if (action === 'member.removed') return 'removed'
  if (change?.to === 'owner') return 'owner'
  return change?.from === 'owner' ? 'deposed' : undefined
}
