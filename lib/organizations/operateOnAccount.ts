import { type Clock, toRfc3339 } from '../core/clock.ts'
import type { Ids, UserId } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import type { Account, AccountDeletion } from '../users/ports.ts'
import type { AccountChange, AuditEntry, OperatedAccounts, OwnOrganization } from './ports.ts'

/** `restore` does not revive what `suspend` has ended: the user signs in again. */
const changes = {
  suspend: { action: 'user.suspended', change: { isActive: false, grantsEnd: true } },
  restore: { action: 'user.restored', change: { isActive: true, grantsEnd: false } },
  'sign-out': { action: 'user.signed_out', change: { grantsEnd: true } },
} as const satisfies Record<string, { action: AuditEntry['action']; change: Partial<AccountChange> }>

export type AccountCommand = keyof typeof changes

/** What a command came to; `organizations` have an entry of it, or would have. */
export type OperatedAccount =
  | { kind: 'done'; organizations: number }
  | { kind: 'unchanged' }
  | { kind: 'refused'; why: string }

export interface OperateOnAccountDeps {
  readonly operatedAccounts: OperatedAccounts
  readonly ids: Pick<Ids, 'uuid'>
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Suspends a user, restores one, or signs one out everywhere, by an operator's decision, with an entry in the audit log of each of the user's
 * organizations. The next request with any session or token of before is refused. Repeating it changes nothing, but a sign-out, which
 * ends what was begun since. An account that is being deleted is left to its user: switched on, it would be kept with its deletion planned,
 * and its link to restore it would be void after a sign-out.
 * @throws CommonError `service_unavailable`, then it may be done
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
  if (account.deletion) return { kind: 'refused', why: beingDeleted(account.deletion) }
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

function beingDeleted({ eraseAfter }: AccountDeletion): string {
  const [day] = toRfc3339(eraseAfter).split('T')
  return `the account is switched off, to be erased on ${day}: until then its user restores it by the link in the mail, which the form for a forgotten password sends again`
}

function entryOf(
  { ids, clock }: OperateOnAccountDeps,
  of: { own: OwnOrganization; account: Account; action: AuditEntry['action'] },
): AuditEntry {
  const { own, account, action } = of
  const actor = { type: 'operator', id: null } as const
  const [organizationId, target] = [own.organization.id, account.user.id]
  return { organizationId, id: ids.uuid(), at: clock.now(), actor, action, target, detail: {} }
}
