import type { UserId } from '../../core/ids.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { authorizeMember, type OrganizationRequest } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import { type MemberChangeKind, type NotifyOfChangeDeps, notifyOfChange } from '../notifyOfChange.ts'
import type { Permission } from '../permissions.ts'
import type { AuditChange, Organizations, OwnOrganization, Role, RoleChange } from '../ports.ts'
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

/** What was so before a change: the organization with the role of the caller, and the role of the member. */
interface Before {
  readonly own: OwnOrganization
  readonly memberRole: Role
}

/** Changes of roles, with their audit entry. */
type RoleDecision = AuditChange & { readonly changes: readonly RoleChange[] }

/**
 * Writes the role changes that `decide` returns, but only while the state it decided on is current; decides again after a conflict. Writes
 * nothing for null. Mails the member and the owners if an owner was made or deposed, or a member was removed.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `last_owner`, `break_glass_owner`, `member_deleting`; `member_not_found` if
 *   the user is not a member, known or not
 */
export async function changeRoles(
  deps: RoleDeps,
  { organizationId, caller, memberId, permission }: RoleRequest,
  decide: (before: Before) => RoleDecision | null,
): Promise<Before> {
  const { before, decision } = await retryOnConflict(async () => {
    const view = await deps.organizations.read(organizationId, caller, [memberId])
    const own = authorizeMember(view, caller.userId, permission)
    const memberRole = view.roleOf(memberId)
    if (memberRole === undefined) throw new OrganizationError('member_not_found')
    const before = { own, memberRole }
    const decision = decide(before)
    if (decision === null) return { before, decision }
    const { changes, ...done } = decision
    requireNotBreakGlass(own, changes)
    const entry = entryBy(deps, { organizationId, caller }, done)
    const outcome = await deps.organizations.changeRoles(organizationId, { by: caller, changes, entry })
    if (outcome === 'last_owner' || outcome === 'member_deleting') throw new OrganizationError(outcome)
    return outcome === 'written' ? { before, decision } : outcome
  })
  const kind = decision && changeOf(decision, memberId)
  const { organization } = before.own
  if (kind) await notifyOfChange(deps, { organization, actor: caller.userId, member: memberId, kind })
  return before
}

/** While a single sign-on is enforced, the owner who can do without it stays an owner: the provider may fail. */
function requireNotBreakGlass({ organization }: OwnOrganization, changes: readonly RoleChange[]): void {
  const { breakGlassUserId } = organization.signOn ?? {}
  const isDeposed = changes.some(
    ({ userId, from, to }) => userId === breakGlassUserId && from === 'owner' && to !== 'owner',
  )
  if (isDeposed) throw new OrganizationError('break_glass_owner')
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
