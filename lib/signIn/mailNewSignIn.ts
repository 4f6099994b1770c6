import type { RequestOrigin } from '../core/activity.ts'
import { formatCountry, formatTime } from '../core/format.ts'
import type { UserId } from '../core/ids.ts'
import type { Language } from '../core/language.ts'
import type { Mail } from '../mail/mailer.ts'
import { notify } from '../mail/notify.ts'
import type { MailDeps } from '../users/deps.ts'
import { emailKey } from '../users/emailKey.ts'
import { TooManyAttemptsError } from '../users/errors.ts'
import { issueLink } from '../users/links/accountLinks.ts'
import { spendMail } from '../users/mailBudget.ts'
import { newSignIn } from '../users/mails.ts'
import { type KnownBrowserDeps, recognizeBrowser } from '../users/password/knownBrowser.ts'
import type { MailSettings } from '../users/ports.ts'

export interface MailNewSignInDeps
  extends Pick<
      MailDeps,
      'accounts' | 'mailBudgets' | 'links' | 'ids' | 'clock' | 'accountUrl' | 'mailer' | 'logger' | 'branding'
    >,
    KnownBrowserDeps {
  readonly ids: MailDeps['ids']
  readonly clock: MailDeps['clock']
  readonly mailSettings: Pick<MailSettings, 'noteLanguage'>
  /** Where the request comes from that the running code works for. */
  readonly origin: () => RequestOrigin | undefined
}

/** A sign-in that has succeeded. */
interface SucceededSignIn {
  readonly userId: UserId
  readonly email: string
  /** The cookie of a known browser, as it was sent with the sign-in. */
  readonly cookie: string | undefined
  /** As `NameBrowser` names it. */
  readonly browser: string | undefined
  readonly language: Language
}

/** Longer than a link that the user has just asked for: people read this mail later. */
const LINK_MINUTES = 24 * 60

/**
 * Notes the language of a sign-in for later mails. If the browser was not known for the account, mails the user when and from where it was,
 * with a link to reset the password, unless the user has switched these mails off. Never throws: what fails is logged, and the sign-in has
 * succeeded.
 */
export function mailNewSignIn(deps: MailNewSignInDeps, signIn: SucceededSignIn): Promise<void> {
  return notify(deps, writeMail(deps, signIn))
}

async function writeMail(
  deps: MailNewSignInDeps,
  { userId, email, cookie, browser, language }: SucceededSignIn,
): Promise<Mail | undefined> {
  await deps.mailSettings.noteLanguage(userId, language)
  if ((await recognizeBrowser(deps, cookie, emailKey(email))) !== undefined) return undefined
  const account = await deps.accounts.find(userId)
  if (account === undefined || account.signInMails === false) return undefined
  try {
    await spendMail(deps, [{ kind: 'new_sign_in', subject: userId }])
  } catch (error) {
    if (error instanceof TooManyAttemptsError) return undefined
    throw error
  }
  const { user, securityRev } = account
  const about = { purpose: 'reset_password', userId, email: user.email, securityRev, minutes: LINK_MINUTES } as const
  const link = await issueLink(deps, about)
  const { sourceIp, country } = deps.origin() ?? {}
  const place = country === undefined ? undefined : formatCountry(country, language)
  const at = formatTime(deps.clock.now(), language)
  return newSignIn({ branding: deps.branding, language }, { to: user.email, ...link, browser, at, place, sourceIp })
}
