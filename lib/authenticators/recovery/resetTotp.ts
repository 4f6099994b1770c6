import type { UserId } from '../../core/ids.ts'
import type { OperatedFactors } from '../ports.ts'
import { entriesOf, type OperateOnFactorsDeps } from './operateOnFactors.ts'

export interface ResetTotpDeps extends Omit<OperateOnFactorsDeps, 'resets' | 'operatedFactors'> {
  readonly operatedFactors: Pick<OperatedFactors, 'removeTotp' | 'listTotpUsers'>
}

/** A user with an authenticator app. `passwordAlone`: no passkey is left, so the password alone signs in until the user sets the app up again. */
export interface TotpReset {
  readonly userId: UserId
  readonly outcome: 'reset' | 'would be reset' | 'changed meanwhile'
  readonly passwordAlone: boolean
  readonly organizations: number
}

/**
 * After the loss of the key of authenticator apps: removes the apps of one user, or of all, that were set up before a time, because no code of
 * theirs can be checked. Passkeys, recovery codes and sessions stay. Each organization of the user gets an entry in its audit log, and
 * `takeResetSteps` mails the user. Safe to repeat with the same time, and to stop: apps that were set up anew are newer.
 * @param before Unix milliseconds
 * @throws CommonError `service_unavailable`: then the last may be done
 */
export async function* resetTotp(
  deps: ResetTotpDeps,
  { userId, before }: { userId: UserId | undefined; before: number },
  { dryRun }: { dryRun: boolean },
): AsyncGenerator<TotpReset, void> {
  for (const id of userId === undefined ? await deps.operatedFactors.listTotpUsers() : [userId]) {
    const found = await deps.operatedAccounts.find(id)
    const seen = await deps.authenticators.list(id)
    if (found === undefined || seen.totp === undefined || seen.totp.createdAt >= before) continue
    const { account, organizations } = found
    const row = { userId: id, passwordAlone: seen.passkeys.length === 0, organizations: organizations.length }
    if (dryRun) {
      yield { ...row, outcome: 'would be reset' }
      continue
    }
    const language = (await deps.profiles.find([id])).get(id)?.language ?? 'en'
    const entries = entriesOf(deps, { account, organizations, action: 'user.totp_removed', detail: {} })
    const removed = { at: deps.clock.now(), language, entries }
    if ((await deps.operatedFactors.removeTotp(account, seen, removed)) === 'conflict') {
      yield { ...row, outcome: 'changed meanwhile' }
      continue
    }
    await deps.activity.record(id, 'factor_removed')
    const fields = { userId: id, command: 'reset-totp', organizations: organizations.length }
    deps.logger.warn('Account changed by an operator', fields)
    yield { ...row, outcome: 'reset' }
  }
}
