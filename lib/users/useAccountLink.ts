import type { Language } from '../core/language.ts'
import type { AccountDeps } from './accountDeps.ts'
import { confirmEmailChange } from './changeEmail.ts'
import type { AccountLink, AccountLinkPurpose } from './ports.ts'
import { resetPassword } from './resetPassword.ts'
import { verifyEmail } from './verifyEmail.ts'

/** The form of a link in a mail. `password` counts for a reset only; `language` is the one of the mail that follows it. */
interface LinkForm {
  readonly token: string
  readonly password: string
  readonly language: Language
}

const uses: Record<AccountLinkPurpose, (deps: AccountDeps, form: LinkForm) => Promise<{ link: AccountLink }>> = {
  verify_email: (deps, { token }) => verifyEmail(deps, token),
  change_email: (deps, { token }) => confirmEmailChange(deps, token),
  reset_password: resetPassword,
}

/**
 * Does what a link in a mail is for, and returns the link.
 * @throws LinkInvalidError; CommonPasswordError; UserError `email_already_exists`; CommonError `service_unavailable`
 */
export async function useAccountLink(
  deps: AccountDeps,
  { purpose, ...form }: LinkForm & { readonly purpose: AccountLinkPurpose },
): Promise<AccountLink> {
  const { link } = await uses[purpose](deps, form)
  return link
}
