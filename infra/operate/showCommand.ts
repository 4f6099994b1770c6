import { toRfc3339 } from '../../lib/core/clock.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../lib/core/ids.ts'
import { toAuditLogResource } from '../../lib/organizations/auditLogResource.ts'
import type { ShowDeps } from '../../lib/runtime/operators.ts'
import { toUserResource } from '../../lib/users/account/userResource.ts'
import { emailKey, emailSchema } from '../../lib/users/emailKey.ts'
import { type Run, refused } from './command.ts'

/** `show ID` or `show EMAIL`: prints an organization or a user as JSON for an operator, with names and addresses, but without secrets and the gateway's customer. */
export const show: Run = async ([id], { connect }) => {
  const email = emailSchema.safeParse(id).data
  const organizationId = organizationIdSchema.safeParse(id).data
  const userId = userIdSchema.safeParse(id).data
  if (email === undefined && (organizationId === undefined || userId === undefined))
    throw new Error('ID is of an organization or a user: a UUID, or a user’s email address')
  await connect()
  const { showDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
  const deps = await showDepsFromEnvironment()
  const shown =
    (organizationId && (await showOrganization(deps, organizationId))) ??
    (await showUser(deps, email === undefined ? userId : await userIdOf(deps, email)))
  if (shown === undefined) return refused('show', 'there is no organization and no user with this id or address')
  console.log(JSON.stringify(shown, undefined, 2))
  return 0
}

/** How many entries of the audit log to show. */
const NEWEST_ENTRIES = 20

/** An organization with its slots, members and newest changes; undefined if there is none. */
async function showOrganization(
  { records, organizations, profiles, auditLog, clock }: ShowDeps,
  organizationId: OrganizationId,
) {
  const { account, slots } = await records.readSlots(organizationId)
  if (!account) return undefined
  const [{ members, invitations }, changes] = await Promise.all([
    organizations.readMembers(organizationId),
    auditLog.list(organizationId, { limit: NEWEST_ENTRIES, now: clock.now() }),
  ])
  const profileOf = await profiles.find(members.map(({ userId }) => userId))
  return {
    organization: {
      id: organizationId,
      name: account.name,
      created_at: account.createdAt,
      gateway: account.gateway,
      days_until_due: account.daysUntilDue ?? null,
      has_customer: account.customer !== undefined,
    },
    slots: slots.map(({ product, state, n, subscription }) => ({
      product,
      state,
      n,
      subscription_id: subscription?.id ?? null,
      status: subscription?.status ?? null,
    })),
    members: members.map(({ userId, role }) => ({
      user_id: userId,
      role,
      username: profileOf.get(userId)?.username ?? null,
      email: profileOf.get(userId)?.email ?? null,
    })),
    invitations: invitations.map(({ email, role, validUntil }) => ({ email, role, expires_at: toRfc3339(validUntil) })),
    audit_log: toAuditLogResource(changes, () => null).entries,
  }
}

async function userIdOf({ accounts }: ShowDeps, email: string): Promise<UserId | undefined> {
  return (await accounts.findByEmail(emailKey(email)))?.user.id
}

/** A user with their organizations; undefined if there is none. */
async function showUser({ operatedAccounts }: ShowDeps, userId: UserId | undefined) {
  const found = userId && (await operatedAccounts.find(userId))
  if (found === undefined) return undefined
  const { account, organizations } = found
  return {
    user: {
      ...toUserResource(account.user),
      has_password: account.passwordHash !== undefined,
      has_second_factor: account.hasSecondFactor ?? false,
    },
    organizations: organizations.map(({ organization: { id, name }, role }) => ({ id, name, role })),
  }
}
