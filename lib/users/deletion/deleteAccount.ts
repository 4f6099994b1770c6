import type { Clock } from '../../core/clock.ts'
import { GRACE } from '../../core/deletion.ts'
import type { Caller } from '../../core/identity.ts'
import type { Ids } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import { OrganizationError, OrganizationOwesError } from '../../organizations/errors.ts'
import type { AuditChange, AuditEntry, Debts } from '../../organizations/ports.ts'
import type { MailDeps } from '../deps.ts'
import { UserError } from '../errors.ts'
import { issueLink } from '../links/accountLinks.ts'
import { deletionScheduled } from '../mails.ts'
import type { AccountDeletion, User } from '../ports.ts'
import { untilUnchanged } from '../untilUnchanged.ts'
import type { AccountDeletions, OwnPlace, PlacePlan } from './ports.ts'

/** Dependencies of a request for deletion, including the mail about it. */
export type DeleteAccountDeps = Pick<
  MailDeps,
  'links' | 'ids' | 'clock' | 'accountUrl' | 'mailer' | 'activity' | 'logger' | 'branding'
> & { readonly deletions: Pick<AccountDeletions, 'read' | 'schedule'>; readonly debts: Debts }

/**
 * Schedules the erasure of the caller's account and mails the link that restores it. Switches the account off and ends every grant at once.
 * Deletes the organizations in which the caller is the only member; if an organization has other owners, the caller becomes its billing
 * admin. All of it is one transaction.
 * @param precondition gets the current user; throws to refuse
 * @returns when the erasure begins at the earliest, in Unix milliseconds
 * @throws what `precondition` throws; UserError `sole_owner`, `organization_subscribed`, `too_many_organizations`; OrganizationError `break_glass_owner`;
 * OrganizationOwesError with the invoices of the organizations that would be deleted; CommonError `invalid_token`, `service_unavailable`; BillingError as `Debts`
 */
export function deleteAccount(
  deps: DeleteAccountDeps,
  caller: Caller,
  language: Language,
  precondition?: (user: User) => void,
): Promise<number> {
  return untilUnchanged(async () => {
    const { account, places } = await deps.deletions.read(caller)
    precondition?.(account.user)
    const plan = planPlaces(deps, caller, places)
    const owed = await Promise.all(plan.erased.map(({ organizationId }) => deps.debts.listOwed(organizationId)))
    if (owed.flat().length > 0) throw new OrganizationOwesError(owed.flat())
    const requestedAt = deps.clock.now()
    const eraseAfter = requestedAt + GRACE
    const organizations = plan.erased.map(({ organizationId }) => organizationId)
    const deletion: AccountDeletion = { requestedAt, eraseAfter, language, organizations }
    const { id: userId, email } = account.user
    // The account will have this revision. If scheduling fails, the link does nothing.
    const securityRev = account.securityRev + 1
    const about = { purpose: 'restore_account', userId, email, securityRev, until: eraseAfter } as const
    const { link } = await issueLink(deps, about)
    if ((await deps.deletions.schedule(account, deletion, plan)) === 'conflict') return 'conflict'
    await deps.activity.record(userId, 'deletion_requested')
    const look = { branding: deps.branding, language }
    await notify(deps, deletionScheduled(look, { to: email, link, eraseAfter }))
    return eraseAfter
  })
}

/** A transaction has at most 100 items: 3 for the account, 7 for each organization erased, 4 for each organization handed over. */
const MAX_ERASED = 10
const MAX_HANDED_OVER = 6

/**
 * Decides what happens to the organizations that the caller owns. Organizations that are already being deleted are handed over as well if
 * they have another owner, who may restore them; otherwise they stay as they are.
 * @throws UserError `sole_owner`, `organization_subscribed`, `too_many_organizations`; OrganizationError `break_glass_owner`
 */
function planPlaces(
  deps: { readonly ids: Pick<Ids, 'uuid'>; readonly clock: Clock },
  { userId }: Pick<Caller, 'userId'>,
  places: readonly OwnPlace[],
): PlacePlan {
  const owned = places.filter(({ role }) => role === 'owner')
  const alone = owned.filter(({ owners, isBeingDeleted }) => owners === 1 && !isBeingDeleted)
  if (alone.some(({ hasOtherMembers }) => hasOtherMembers)) throw new UserError('sole_owner')
  if (alone.some(({ isSubscribed }) => isSubscribed)) throw new UserError('organization_subscribed')
  const handedOver = owned.filter(({ owners }) => owners > 1)
  if (handedOver.some(({ isBreakGlass }) => isBreakGlass)) throw new OrganizationError('break_glass_owner')
  if (alone.length > MAX_ERASED || handedOver.length > MAX_HANDED_OVER) throw new UserError('too_many_organizations')
  const entryOf = (place: OwnPlace, done: AuditChange): AuditEntry => ({
    ...{ organizationId: place.organizationId, id: deps.ids.uuid(), at: deps.clock.now() },
    actor: { type: 'user', id: userId },
    ...done,
  })
  return {
    erased: alone.map((place) => {
      const done = { action: 'organization.deletion_scheduled', target: place.organizationId, detail: {} } as const
      return { ...place, entry: entryOf(place, done) }
    }),
    handedOver: handedOver.map((place) => {
      const detail = { from: 'owner', to: 'billing_admin' }
      return { ...place, entry: entryOf(place, { action: 'member.role_changed', target: userId, detail }) }
    }),
  }
}
