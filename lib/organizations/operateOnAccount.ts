import { type Clock, toRfc3339 } from '../core/clock.ts'
import type { Ids, UserId } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import type { Account, AccountDeletion } from '../users/ports.ts'
import type { AuditEntry, OperatedAccountChange, OperatedAccounts, OwnOrganization } from './ports.ts'

type AccountAction = `user.${'suspended' | 'restored' | 'signed_out'}`

/** `restore` does not revive the sessions that `suspend` has ended: the user signs in again. */
const changes = {
  suspend: { action: 'user.suspended', change: { isActive: false, grantsEnd: true } },
  restore: { action: 'user.restored', change: { isActive: true, grantsEnd: false } },
  'sign-out': { action: 'user.signed_out', change: { grantsEnd: true } },
} as const satisfies Record<string, { action: AccountAction; change: Partial<OperatedAccountChange> }>

export type AccountCommand = keyof typeof changes

/** The outcome of a command; `organizations` counts the organizations that get an entry, or would get it. */
type OperatedAccount =
  | { kind: 'done'; organizations: number; deletionTakenBack?: true }
  | { kind: 'unchanged' }
  | { kind: 'refused'; why: string }

interface Found {
  readonly account: Account
  readonly organizations: readonly OwnOrganization[]
}

export interface OperateOnAccountDeps {
  readonly operatedAccounts: OperatedAccounts
  readonly ids: Pick<Ids, 'uuid'>
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Suspends a user, restores a user, or signs a user out everywhere, by an operator's decision, with an entry in the audit log of each of
 * the user's organizations. From the next request on, earlier sessions and tokens are refused. A repetition changes nothing, except that a
 * repeated sign-out ends newer sessions. If the account is being deleted, `restore` restores it and the organizations that were deleted
 * with it, as the link in its mail does. The other commands refuse such an account: it is switched off, and a sign-out would void that
 * link.
 * @throws CommonError `service_unavailable`: then it may be done
 */
export async function operateOnAccount(
  deps: OperateOnAccountDeps,
  command: AccountCommand,
  userId: UserId,
  { dryRun }: { dryRun: boolean },
): Promise<OperatedAccount> {
  const found = await deps.operatedAccounts.find(userId)
  if (found === undefined) return { kind: 'refused', why: 'there is no such user' }
  const { account, organizations } = found
  if (account.deletion) {
    if (command !== 'restore') return { kind: 'refused', why: beingDeleted(account.deletion) }
    return takeDeletionBack(deps, { ...found, deletion: account.deletion, dryRun })
  }
  const { isActive } = account.user
  const { action, change } = changes[command]
  const next = { isActive, ...change }
  if (!next.grantsEnd && next.isActive === isActive) return { kind: 'unchanged' }
  if (command === 'suspend' && !isActive) return { kind: 'unchanged' }
  if (!dryRun) {
    const entries = organizations.map((own) => entryOf(deps, { own, account, action }))
    const outcome = await deps.operatedAccounts.change(account, next, entries)
    if (outcome === 'conflict') return { kind: 'refused', why: 'the account was changed meanwhile: look again' }
    deps.logger.warn('Account changed by an operator', { userId, command, organizations: organizations.length })
  }
  return { kind: 'done', organizations: organizations.length }
}

async function takeDeletionBack(
  deps: OperateOnAccountDeps,
  { account, organizations, deletion, dryRun }: Found & { deletion: AccountDeletion; dryRun: boolean },
): Promise<OperatedAccount> {
  const done = { kind: 'done', organizations: organizations.length, deletionTakenBack: true } as const
  if (deletion.erasingSince !== undefined) return { kind: 'refused', why: 'the erasure of the account has begun' }
  if (dryRun) return done
  const entries = organizations.flatMap((own) => {
    const { id } = own.organization
    const restored = entryOf(deps, { own, account, action: 'user.restored' })
    if (!deletion.organizations.includes(id)) return [restored]
    return [restored, { ...entryOf(deps, { own, account, action: 'organization.restored' }), target: id }]
  })
  const outcome = await deps.operatedAccounts.takeDeletionBack(account, deletion, entries)
  if (outcome === 'conflict') return { kind: 'refused', why: 'the account was changed meanwhile: look again' }
  const logged = { userId: account.user.id, command: 'restore', organizations: organizations.length }
  deps.logger.warn('Account changed by an operator', logged)
  return done
}

function beingDeleted({ eraseAfter }: AccountDeletion): string {
  const [day] = toRfc3339(eraseAfter).split('T')
  return `the account is switched off, to be erased on ${day}: until then its user restores it by the link in the mail, which the form for a forgotten password sends again, or \`restore\` does`
}

function entryOf(
  { ids, clock }: OperateOnAccountDeps,
  of: { own: OwnOrganization; account: Account; action: AccountAction | 'organization.restored' },
): AuditEntry {
  const { own, account, action } = of
  const actor = { type: 'operator', id: null } as const
  const [organizationId, target] = [own.organization.id, account.user.id]
  return { organizationId, id: ids.uuid(), at: clock.now(), actor, action, target, detail: {} }
}
