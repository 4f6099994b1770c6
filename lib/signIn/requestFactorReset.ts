import type { RequestFactorResetDeps } from '../authenticators/deps.ts'
import { AuthenticatorError } from '../authenticators/errors.ts'
import { secondFactorsOf } from '../authenticators/listAuthenticators.ts'
import { resetRequested } from '../authenticators/mails.ts'
import type { FactorReset } from '../authenticators/ports.ts'
import { type ResetAccount, readFactorReset } from '../authenticators/recovery/resetFactors.ts'
import { CommonError } from '../core/errors.ts'
import type { Language } from '../core/language.ts'
import { issueLink } from '../users/links/accountLinks.ts'
import { spendMail } from '../users/mailBudget.ts'

/**
 * Stores a request to remove every second factor of a user who has lost them, and mails the link that confirms it. Without that link nothing
 * is ever removed: anyone with the password can make a request. A repetition sends no mail.
 * @throws AuthenticatorError `no_second_factor`; TooManyAttemptsError; CommonError `service_unavailable`, also if the mail is not accepted:
 *   ask for the mail again
 */
export async function requestFactorReset(
  deps: RequestFactorResetDeps,
  { account, language }: { account: ResetAccount; language: Language },
): Promise<void> {
  const { state, reset: earlier, authenticators } = await readFactorReset(deps, account)
  if (state !== 'none') return
  if (secondFactorsOf(authenticators).length === 0) throw new AuthenticatorError('no_second_factor')
  const { credentialsRev = 0 } = account
  const reset = { id: deps.ids.uuid(), requestedAt: deps.clock.now(), credentialsRev, language }
  if (await deps.resets.request(account.user.id, reset, earlier)) return mailConfirmation(deps, account, reset)
  const after = await readFactorReset(deps, account)
  if (after.state === 'none') throw new CommonError('service_unavailable', { message: 'account changed concurrently' })
}

/**
 * Mails another link that confirms the user's request.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function mailConfirmation(
  deps: RequestFactorResetDeps,
  { user, securityRev }: ResetAccount,
  { id: reset, language }: Pick<FactorReset, 'id' | 'language'>,
): Promise<void> {
  const { id: userId, email } = user
  await spendMail(deps, [{ kind: 'factor_reset', subject: userId }])
  const link = await issueLink(deps, { purpose: 'confirm_factor_reset', userId, email, securityRev, reset })
  await deps.mailer.send(resetRequested({ branding: deps.branding, language }, { to: email, ...link }))
}
