import type { ActivityRecorder } from '../../core/activity.ts'
import type { UserId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import type { Mail } from '../../mail/mailer.ts'
import { notify } from '../../mail/notify.ts'
import type { MailedDeps, RecoveryCodeDeps } from '../deps.ts'
import { recoveryCodeUsed } from '../mails.ts'
import { verifyRecoveryCode } from './recoveryCodes.ts'

export interface UseRecoveryCodeDeps extends RecoveryCodeDeps, MailedDeps {
  readonly activity: ActivityRecorder
  /** Base URL of the links in mails. */
  readonly accountUrl: string
}

/**
 * Accepts a recovery code as `verifyRecoveryCode` does, and mails the user how many codes are left. There is no budget for these mails,
 * because there are only as many as codes. If the mail cannot be written or is not accepted, that is logged, and the sign-in succeeds.
 * @throws AuthenticatorError `code_refused`; CommonError `service_unavailable`
 */
export async function useRecoveryCode(
  deps: UseRecoveryCodeDeps,
  { language, ...tried }: { userId: UserId; code: string; language: Language },
): Promise<void> {
  await verifyRecoveryCode(deps, tried)
  await deps.activity.record(tried.userId, 'recovery_code_used')
  await notify(deps, writeMail(deps, tried.userId, language))
}

/** Undefined if the user was erased meanwhile. */
async function writeMail(
  {
    accounts,
    authenticators,
    branding,
    accountUrl,
  }: Pick<UseRecoveryCodeDeps, 'accounts' | 'authenticators' | 'branding' | 'accountUrl'>,
  userId: UserId,
  language: Language,
): Promise<Mail | undefined> {
  const [account, { recoveryCodes }] = await Promise.all([accounts.find(userId), authenticators.list(userId)])
  const left = recoveryCodes?.left ?? 0
  return account && recoveryCodeUsed({ branding, language }, { to: account.user.email, left, accountUrl })
}
