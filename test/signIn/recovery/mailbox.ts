import type { Mail } from '../../../lib/mail/mailer.ts'
import { confirmFactorReset } from '../../../lib/signIn/confirmFactorReset.ts'
import { useAccountLink } from '../../../lib/users/account/useAccountLink.ts'
import { UserError } from '../../../lib/users/errors.ts'
import { currentPasswordProblem, openLink } from '../../../lib/users/links/openLink.ts'
import type { AccountLinkPurpose } from '../../../lib/users/ports.ts'
import type { Browser } from './browser.ts'
import { orCode } from './browser.ts'
import type { Service } from './service.ts'

/** A link in a mail to an account. */
export interface MailedLink {
  readonly purpose: AccountLinkPurpose
  readonly token: string
}

const purposes = [
  ...(['verify_email', 'reset_password', 'change_email', 'restore_account'] as const),
  ...(['undo_email_change', 'undo_factor', 'confirm_factor_reset'] as const),
]

/** The link in a mail; undefined if it has none, or none of an account. */
export function linkIn({ text }: Pick<Mail, 'text'>): MailedLink | undefined {
  const [, named, token = ''] = /[?&]purpose=(\w+)&token=([\w-]+)/.exec(text) ?? []
  const purpose = purposes.find((one) => one === named)
  return purpose && { purpose, token }
}

/**
 * Follows a link as its page does; a password is sent if the page asks for one. The page signs the browser in if the link has set the
 * password. Returns what came of it.
 * @param own the ids of authenticators that its reader unticks
 */
export function followLink(
  service: Service,
  browser: Browser,
  link: MailedLink,
  { password = '', own = [] }: { password?: string; own?: readonly string[] },
): Promise<string> {
  return orCode(
    (async () => {
      const { purpose, token } = link
      if (purpose === 'confirm_factor_reset') return confirmFactorReset(service.deps, token)
      const opened = await openLink(service.deps, { ...link, choose: false }, browser.secret())
      const problem = await currentPasswordProblem(service.deps, opened, password)
      if (problem !== undefined) throw new UserError('wrong_password')
      const removable = opened.authenticators.filter(({ isRemovable }) => isRemovable)
      const removeAuthenticators = removable.filter(({ id }) => !own.includes(id)).map(({ id }) => id)
      const form = { purpose, token, asks: opened.asks, password, removeAuthenticators, language: 'en' } as const
      const { provenUser } = await useAccountLink(service.deps, { ...form, knownBrowser: undefined })
      return provenUser && browser.continueAfterReset(provenUser)
    })(),
  )
}
