import type { ActivityRecorder } from '../../core/activity.ts'
import { toRfc3339 } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import type { AuditDone, AuditEntry, OperatedAccounts, OwnOrganization, Profiles } from '../../organizations/ports.ts'
import type { Account } from '../../users/ports.ts'
import type { FactorResetDeps } from '../deps.ts'
import { secondFactorsOf } from '../listAuthenticators.ts'
import type { FactorReset, OperatedFactors, UserAuthenticators } from '../ports.ts'
import { readFactorReset } from './resetFactors.ts'
import { operatedScheduleOf, type ResetState, trustedUntilOf } from './resetState.ts'

export interface OperateOnFactorsDeps extends Pick<FactorResetDeps, 'authenticators' | 'resets' | 'ids' | 'clock'> {
  readonly operatedAccounts: Pick<OperatedAccounts, 'find'>
  readonly operatedFactors: Pick<OperatedFactors, 'schedule' | 'remove'>
  readonly profiles: Profiles
  readonly activity: ActivityRecorder
  readonly logger: Logger
}

/** When an operator removes second factors: a day later, in which the user may stop it, or now. */
export type OperatedRemoval = 'after_a_day' | 'now'

/** What came of it; `organizations` counts the organizations that get an entry, or would get it. Times are Unix milliseconds. */
export type OperatedFactorRemoval =
  | { readonly kind: 'scheduled'; readonly effectiveAt: number; readonly organizations: number }
  | { readonly kind: 'removed'; readonly organizations: number }
  /** An operator has scheduled it before. */
  | { readonly kind: 'unchanged'; readonly effectiveAt: number }
  | { readonly kind: 'refused'; readonly why: string }

interface Found {
  readonly account: Account
  readonly organizations: readonly OwnOrganization[]
  readonly state: ResetState
  readonly reset: FactorReset | undefined
  readonly authenticators: UserAuthenticators
}

const CHANGED = 'the account was changed meanwhile: look again'

/**
 * Removes every second factor of a user, and recovery codes, by an operator's decision: a day later, or now. Each organization of the user gets
 * an entry in its audit log, and `takeResetSteps` mails the user. During the day only a sign-in with an authenticator stops it that is older
 * than 14 days; a new password or address does not. The removal ends every session and grant. A suspended user's factors are removed only
 * now.
 * @throws CommonError `service_unavailable`: then it may be done
 */
export async function operateOnFactors(
  deps: OperateOnFactorsDeps,
  { userId, when }: { userId: UserId; when: OperatedRemoval },
  { dryRun }: { dryRun: boolean },
): Promise<OperatedFactorRemoval> {
  const account = await deps.operatedAccounts.find(userId)
  if (account === undefined) return { kind: 'refused', why: 'there is no such user' }
  const found = { ...account, ...(await readFactorReset(deps, account.account)) }
  const why = refusalOf(found, when)
  if (why !== undefined) return { kind: 'refused', why }
  const language = (await deps.profiles.find([userId])).get(userId)?.language ?? 'en'
  return when === 'now' ? remove(deps, found, { language, dryRun }) : schedule(deps, found, { language, dryRun })
}

function refusalOf({ account, authenticators }: Found, when: OperatedRemoval): string | undefined {
  if (account.deletion) return 'the account is being deleted'
  if (secondFactorsOf(authenticators).length === 0) return 'the user has no second factor'
  if (when === 'after_a_day' && !account.user.isActive)
    return 'the user is suspended: restore the user first, or remove the factors with --now'
  return undefined
}

interface Removing {
  readonly language: FactorReset['language']
  readonly dryRun: boolean
}

async function schedule(
  deps: OperateOnFactorsDeps,
  { account, organizations, state, reset: replaces }: Found,
  { language, dryRun }: Removing,
): Promise<OperatedFactorRemoval> {
  const { user, credentialsRev = 0 } = account
  const now = deps.clock.now()
  const pending = state === 'waiting' || state === 'due' ? replaces : undefined
  if (pending?.operated !== undefined && pending.effectiveAt !== undefined)
    return { kind: 'unchanged', effectiveAt: pending.effectiveAt }
  const planned = operatedScheduleOf(now, pending?.effectiveAt)
  const { effectiveAt } = planned
  if (!dryRun) {
    const operated = { trustedUntil: trustedUntilOf(now, account) }
    const reset = { id: deps.ids.uuid(), requestedAt: now, credentialsRev, language, effectiveAt, operated }
    const change = {
      action: 'user.factor_removal_scheduled',
      detail: { effective_at: toRfc3339(effectiveAt) },
    } as const
    const entries = entriesOf(deps, { account, organizations, ...change })
    const outcome = await deps.operatedFactors.schedule(user.id, reset, { ...planned, replaces, entries })
    if (outcome === 'conflict') return { kind: 'refused', why: CHANGED }
    logged(deps, { account, organizations })
  }
  return { kind: 'scheduled', effectiveAt, organizations: organizations.length }
}

async function remove(
  deps: OperateOnFactorsDeps,
  { account, organizations, authenticators }: Found,
  { language, dryRun }: Removing,
): Promise<OperatedFactorRemoval> {
  if (!dryRun) {
    const entries = entriesOf(deps, { account, organizations, action: 'user.factors_removed', detail: {} })
    const removed = { at: deps.clock.now(), language, entries }
    const outcome = await deps.operatedFactors.remove(account, authenticators, removed)
    if (outcome === 'conflict') return { kind: 'refused', why: CHANGED }
    await deps.activity.record(account.user.id, 'factor_removed')
    logged(deps, { account, organizations })
  }
  return { kind: 'removed', organizations: organizations.length }
}

/** An operator's entry in the audit log of each of the user's organizations. */
export function entriesOf(
  { ids, clock }: Pick<OperateOnFactorsDeps, 'ids' | 'clock'>,
  { account, organizations, ...change }: Pick<Found, 'account' | 'organizations'> & AuditDone,
): AuditEntry[] {
  const actor = { type: 'operator', id: null } as const
  const at = clock.now()
  return organizations.map(({ organization }) => ({
    ...{ organizationId: organization.id, id: ids.uuid(), at, actor, target: account.user.id },
    ...change,
  }))
}

function logged(
  { logger }: OperateOnFactorsDeps,
  { account, organizations }: Pick<Found, 'account' | 'organizations'>,
) {
  const fields = { userId: account.user.id, command: 'remove-factors', organizations: organizations.length }
  logger.warn('Account changed by an operator', fields)
}
