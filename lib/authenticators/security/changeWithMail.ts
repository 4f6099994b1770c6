import type { Language } from '../../core/language.ts'
import type { Mail } from '../../mail/mailer.ts'
import { notify } from '../../mail/notify.ts'
import type { MailLook } from '../../mail/renderMail.ts'
import { spendMail } from '../../users/mailBudget.ts'
import type { User } from '../../users/ports.ts'
import type { MailedChangeDeps } from '../deps.ts'

/**
 * Changes a user's authenticators and mails the user about it. Spends the mail first: if the budget is used up, nothing changes, so no
 * change goes unnoticed. If the mail is not accepted, the change remains.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`; what `change` throws
 */
export async function changeWithMail<Result>(
  { deps, user, language }: { deps: MailedChangeDeps; user: User; language: Language },
  change: () => Promise<Result>,
  mailOf: (look: MailLook, notice: { to: string }) => Mail,
): Promise<Result> {
  await spendMail(deps, [{ kind: 'authenticator_change', subject: user.id }])
  const result = await change()
  await notify(deps, mailOf({ branding: deps.branding, language }, { to: user.email }))
  return result
}
