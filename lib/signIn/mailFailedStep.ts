import type { Language } from '../core/language.ts'
import type { Mail } from '../mail/mailer.ts'
import { notify } from '../mail/notify.ts'
import type { MailDeps } from '../users/deps.ts'
import { TooManyAttemptsError } from '../users/errors.ts'
import { issueLink } from '../users/links/accountLinks.ts'
import { spendMail } from '../users/mailBudget.ts'
import { secondStepFailed } from '../users/mails.ts'
import type { SignedIn } from '../users/ports.ts'

export type MailFailedStepDeps = Pick<
  MailDeps,
  'mailBudgets' | 'links' | 'ids' | 'clock' | 'accountUrl' | 'mailer' | 'logger' | 'branding'
>

/** Longer than a link that the user has just asked for: people read this mail later. */
const LINK_MINUTES = 24 * 60

/**
 * Mails the user that a person with the right password failed the second step, with a link to reset the password: once in 24 hours, however
 * often it happens. Never throws: if the mail cannot be written or is not accepted, that is logged.
 */
export function mailFailedStep(
  deps: MailFailedStepDeps,
  failed: { user: SignedIn; language: Language },
): Promise<void> {
  return notify(deps, writeMail(deps, failed))
}

async function writeMail(
  deps: MailFailedStepDeps,
  { user, language }: { user: SignedIn; language: Language },
): Promise<Mail | undefined> {
  const { id: userId, email, securityRev } = user
  try {
    await spendMail(deps, [{ kind: 'second_step_failed', subject: userId }])
  } catch (error) {
    if (error instanceof TooManyAttemptsError) return undefined
    throw error
  }
  const about = { purpose: 'reset_password', userId, email, securityRev, minutes: LINK_MINUTES } as const
  const link = await issueLink(deps, about)
  return secondStepFailed({ branding: deps.branding, language }, { to: email, ...link })
}
