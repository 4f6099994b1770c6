import { type ErasureReport, eraseDue } from '../../core/eraseDue.ts'
import { reasonOf } from '../../core/errors.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import { notify } from '../../mail/notify.ts'
import type { AuditEntry } from '../../organizations/ports.ts'
import type { MailDeps } from '../deps.ts'
import { issueLink } from '../links/accountLinks.ts'
import { accountErased, deletionReminder } from '../mails.ts'
import type { Account, AccountDeletion, Accounts } from '../ports.ts'
import type { AccountDeletions, Place } from './ports.ts'

export type EraseAccountsDeps = Pick<
  MailDeps,
  'links' | 'ids' | 'clock' | 'accountUrl' | 'mailer' | 'logger' | 'branding'
> & {
  readonly accounts: Pick<Accounts, 'find'>
  readonly deletions: Omit<AccountDeletions, 'read' | 'schedule' | 'restore'>
}

interface DueAccount {
  readonly account: Account
  readonly deletion: AccountDeletion
}

/**
 * Sends the reminders that are due and erases the accounts whose grace period has ended. If a step fails, the next run repeats it from
 * there.
 * @param finishBy Unix milliseconds; the next run does what is left
 * @throws CommonError `service_unavailable` if the due steps cannot be listed
 */
export function eraseAccounts(deps: EraseAccountsDeps, finishBy: number): Promise<ErasureReport> {
  return eraseDue(
    deps,
    {
      async find({ id, eraseAfter }) {
        const account = await deps.accounts.find(id)
        const deletion = account?.deletion
        const isCurrent = deletion?.eraseAfter === eraseAfter && !account?.user.isActive
        return account && deletion && isCurrent ? { account, deletion } : undefined
      },
      remind: (found) => remind(deps, found),
      erase: (found) => erase(deps, found),
      failed({ id: userId, step }, error) {
        deps.logger.error('Account not erased', { userId, step, reason: reasonOf(error) })
      },
    },
    finishBy,
  )
}

async function remind(deps: EraseAccountsDeps, { account, deletion }: DueAccount): Promise<void> {
  const { user, securityRev } = account
  const { eraseAfter, language } = deletion
  const { id: userId, email } = user
  const about = { purpose: 'restore_account', userId, email, securityRev, until: eraseAfter } as const
  const { link } = await issueLink(deps, about)
  const look = { branding: deps.branding, language }
  await deps.mailer.send(deletionReminder(look, { to: email, link, eraseAfter }))
}

/** Erases the user last: if the run ends early, the next run finds the rest through the user. */
async function erase(deps: EraseAccountsDeps, { account, deletion }: DueAccount): Promise<'erased' | 'nothing'> {
  const { deletions, branding } = deps
  const { id, email } = account.user
  if ((await deletions.begin(id, deletion, deps.clock.now())) === 'not_due') return 'nothing'
  const places = await deletions.listPlaces(id)
  await leaveOrganizations(deps, id, { places, deletion })
  await deletions.eraseInvitations(email)
  await deletions.eraseBelongings(id)
  await notify(deps, accountErased({ branding, language: deletion.language }, { to: email }))
  await deletions.eraseUser(account, deletion, { organizations: announcedIn(places, deletion), at: deps.clock.now() })
  return 'erased'
}

/** Every organization that the user was a member of, each once: left in this run or in one before, or deleted with the account. */
function announcedIn(places: readonly Place[], { organizations, left = [] }: AccountDeletion): OrganizationId[] {
  return [...new Set([...places.map(({ organizationId }) => organizationId), ...left, ...organizations])]
}

/** Organizations that are deleted with the account have their own erasure. */
async function leaveOrganizations(
  deps: EraseAccountsDeps,
  userId: UserId,
  { places, deletion }: { places: readonly Place[]; deletion: AccountDeletion },
): Promise<void> {
  for (const place of places) {
    const { organizationId, role } = place
    if (deletion.organizations.includes(organizationId)) continue
    const entry: AuditEntry = {
      ...{ organizationId, id: deps.ids.uuid(), at: deps.clock.now(), actor: { type: 'system', id: null } },
      ...{ action: 'member.removed', target: userId, detail: { role } },
    }
    const outcome = await deps.deletions.leave(userId, place, entry)
    if (outcome === 'conflict') throw new Error('the membership was changed at the same time')
    // The user created the organization, or became its owner, at the moment of the request. An operator has to decide.
    if (outcome === 'last_owner') deps.logger.error('Organization left without an owner', { organizationId })
  }
}
