import type { Language } from '../core/language.ts'
import type { AccountDeps } from './accountDeps.ts'
import { confirmEmailChange } from './changeEmail.ts'
import type { OpenedLink } from './openLink.ts'
import type { AccountLink, AccountLinkPurpose } from './ports.ts'
import { resetPassword } from './resetPassword.ts'
import { verifyEmail } from './verifyEmail.ts'

/**
 * The form of a link in a mail, whose password was checked. `password` counts where it is a new one; `language` is the one of the mail
 * that follows it.
 */
interface LinkForm {
  readonly token: string
  readonly asks: OpenedLink['asks']
  readonly password: string
  readonly language: Language
}

const uses: Record<AccountLinkPurpose, (deps: AccountDeps, form: LinkForm) => Promise<{ link: AccountLink }>> = {
  verify_email: (deps, form) =>
    form.asks === 'new' ? resetPassword(deps, form, 'verify_email') : verifyEmail(deps, form.token),
  change_email: (deps, { token }) => confirmEmailChange(deps, token),
  reset_password: (deps, form) => resetPassword(deps, form),
}

/**
 * Does what a link in a mail is for, and returns the link.
 * @throws LinkInvalidError; RefusedPasswordError; UserError `email_already_exists`; CommonError `service_unavailable`
 */
export async function useAccountLink(
  deps: AccountDeps,
  { purpose, ...form }: LinkForm & { readonly purpose: AccountLinkPurpose },
): Promise<AccountLink> {
  const { link } = await uses[purpose](deps, form)
  return link
}
