import type { Caller } from '../../../lib/core/identity.ts'
import { type AnyCaller, isApiClient, isServiceClient } from '../../../lib/core/identity.ts'
import type { OrganizationId, UserId } from '../../../lib/core/ids.ts'
import type { AuditEntry, Invitation, Invitations, Organizations, Role } from '../../../lib/organizations/ports.ts'
import type { OwnPlace, PlacePlan } from '../../../lib/users/deletion/ports.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'

type Members = Map<UserId, Role>

/**
 * Organizations with their members and invitations, as far as changes of owners reach them.
 * @param requireLive refuses a caller as the account's own reads do
 */
export function createOrganizationsInMemory(requireLive: (caller: Caller) => Promise<unknown>, entries: AuditEntry[]) {
  const all = new Map<OrganizationId, Members>()
  const invited: Invitation[] = []
  /** Those that are erased with their user's account, unless it is restored. */
  const deleted = new Set<OrganizationId>()
  const membersOf = (id: OrganizationId): Members => all.get(id) ?? new Map()
  const shown = (id: OrganizationId) => ({ id, name: `Organization ${id}`, createdAt: '2026-01-15T09:00:00Z' })
  const isOwner = (id: OrganizationId, { userId }: Caller) => membersOf(id).get(userId) === 'owner'

  const organizations: Pick<Organizations, 'read' | 'list' | 'readMembers' | 'changeRoles'> = {
    async read(id, caller: AnyCaller) {
      if (isApiClient(caller) || isServiceClient(caller)) throw new Error('no API client is in these stories')
      await requireLive(caller)
      const find = (principal: string) => [...membersOf(id)].find(([userId]) => userId === principal)?.[1]
      return { organization: all.has(id) ? shown(id) : undefined, roleOf: find }
    },
    async list({ userId }) {
      return [...all].flatMap(([id, members]) => {
        const role = members.get(userId)
        return role === undefined ? [] : [{ organization: shown(id), role }]
      })
    },
    async readMembers(id) {
      return { members: [...membersOf(id)].map(([userId, role]) => ({ userId, role })), invitations: [] }
    },
    async changeRoles(id, { by, changes, entry }) {
      await requireLive(by)
      const members = membersOf(id)
      // Members leave by themselves.
      const isOwn = changes.some(({ userId }) => userId === by.userId)
      const isAsRead = changes.every(({ userId, from }) => members.get(userId) === from)
      if (!isAsRead || (!isOwn && !isOwner(id, by))) return 'conflict'
      const after = new Map(members)
      for (const { userId, to } of changes) to === null ? after.delete(userId) : after.set(userId, to)
      if (![...after.values()].includes('owner')) return 'last_owner'
      all.set(id, after)
      entries.push(entry)
      return 'written'
    },
  }

  const invitations: Pick<Invitations, 'findCurrent' | 'put'> = {
    findCurrent: async (organizationId, id) =>
      invited.findLast((one) => one.organizationId === organizationId && one.id === id),
    async put(invitation, by, entry) {
      await requireLive(by)
      if (!isOwner(invitation.organizationId, by)) return 'conflict'
      invited.push(invitation)
      entries.push(entry)
      return 'written'
    },
  }

  return {
    organizations,
    invitations,
    /** What decides what becomes of a user's organizations when the account is deleted. */
    placesOf: (userId: UserId): OwnPlace[] =>
      [...all].flatMap(([organizationId, members]) => {
        const role = members.get(userId)
        const owners = [...members.values()].filter((one) => one === 'owner').length
        const others = { owners, hasOtherMembers: members.size > 1, joined: members.size - 1, isBreakGlass: false }
        const state = { isBeingDeleted: deleted.has(organizationId), isSubscribed: false }
        return role === undefined ? [] : [{ organizationId, role, ...others, ...state }]
      }),
    /** The plan of a deletion: the organizations of the user alone go with the account, the others keep their other owners. */
    handOver(userId: UserId, { erased, handedOver }: PlacePlan) {
      for (const { organizationId } of erased) deleted.add(organizationId)
      for (const { organizationId } of handedOver) membersOf(organizationId).set(userId, 'billing_admin')
    },
    takeBack: (ids: readonly OrganizationId[]) => {
      for (const id of ids) deleted.delete(id)
    },
    isDeleted: (id: OrganizationId) => deleted.has(id),
    add: (id: OrganizationId, members: readonly (readonly [UserId, Role])[]) => void all.set(id, new Map(members)),
    ownersOf: (id: OrganizationId) =>
      [...membersOf(id)].flatMap(([userId, role]) => (role === 'owner' ? [userId] : [])),
    /** Makes this user a member by every invitation to the address, as its acceptance does: while its inviter is an owner. */
    join(userId: UserId, email: string, now: number) {
      for (const { organizationId, role, invitedBy, validUntil, ...invitation } of invited) {
        const isTheirs = emailKey(invitation.email) === emailKey(email) && now < validUntil
        if (isTheirs && membersOf(organizationId).get(invitedBy) === 'owner')
          membersOf(organizationId).set(userId, role)
      }
    },
  }
}
