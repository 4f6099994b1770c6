import { createHash } from 'node:crypto'
import { type Clock, toRfc3339 } from '../core/clock.ts'
import type { Caller } from '../core/identity.ts'
import { type Ids, type OrganizationId, organizationIdSchema, type UserId } from '../core/ids.ts'
import type { Users } from '../users/ports.ts'
import { entryBy } from './auditEntry.ts'
import { requireMembership } from './authorizeMember.ts'
import type { Organizations, OwnOrganization } from './ports.ts'
import { requireVerifiedUser } from './requireVerifiedUser.ts'

interface CreateDeps {
  organizations: Pick<Organizations, 'create'>
  users: Pick<Users, 'findCaller'>
  ids: Pick<Ids, 'uuid'>
  clock: Clock
}

/**
 * Creates an organization with the caller as its owner. A repeated request creates another organization, unless it has the same
 * `idempotencyKey` or the same `id`: then it returns the first organization in its current state.
 * @param request `name` validated by `organizationName`; `id` a UUID that only this request has; a key takes precedence
 * @throws OrganizationError `email_not_verified`; `organization_not_found` if the caller has left the first organization since; CommonError
 *   `invalid_token`
 */
export async function createOrganization(
  { organizations, users, ids, clock }: CreateDeps,
  request: { caller: Caller; name: string; idempotencyKey?: string | undefined; id?: string | undefined },
): Promise<OwnOrganization> {
  const { caller, name, idempotencyKey, id: given = ids.uuid() } = request
  await requireVerifiedUser(users, caller)
  const id =
    idempotencyKey === undefined
      ? organizationIdSchema.parse(given)
      : idOfKey({ userId: caller.userId, idempotencyKey })
  const created = { action: 'organization.created', target: id, detail: { name } } as const
  const entry = entryBy({ ids, clock }, { organizationId: id, caller }, created)
  const draft = { id, name, createdAt: toRfc3339(entry.at) }
  const { organization, role } = await organizations.create(draft, caller, entry)
  return requireMembership({ organization, roleOf: () => role }, caller.userId)
}

/** The id derived from a user and their key, unique to both: a UUID of version 8 (RFC 9562 §5.8). */
function idOfKey({ userId, idempotencyKey }: { userId: UserId; idempotencyKey: string }): OrganizationId {
  const digest = createHash('sha256').update(`organization ${userId} ${idempotencyKey}`).digest('hex')
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
  return organizationIdSchema.parse(uuid)
}
