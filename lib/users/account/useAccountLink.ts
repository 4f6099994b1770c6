import type { Language } from '../../core/language.ts'
import { type RestoreDeps, restoreAccount } from '../deletion/restoreAccount.ts'
import { confirmEmailChange } from '../email/confirmEmailChange.ts'
import { undoEmailChange } from '../email/undoEmailChange.ts'
import { verifyEmail, verifyOwnEmail } from '../email/verifyEmail.ts'
import type { OpenedLink } from '../links/openLink.ts'
import { type ResetDeps, resetPassword } from '../password/resetPassword.ts'
import { undoFactor } from '../password/undoFactor.ts'
import type { AccountLink, AccountLinkPurpose, NextLink, ProvenUser } from '../ports.ts'

export type UseLinkDeps = ResetDeps & RestoreDeps

/**
 * The form of a link in a mail, after a check of its password. `password`: only for links that set one. `language`: of the follow-up mail.
 */
interface LinkForm {
  readonly token: string
  readonly asks: OpenedLink['asks']
  readonly password: string
  /** The ids of authenticators that a reset removes. */
  readonly removeAuthenticators?: readonly string[]
  readonly language: Language
  /** The cookie of a known browser, as it was sent. */
  readonly knownBrowser: string | undefined
}

/** The confirmation of a request to remove lost factors is another use case: `confirmFactorReset`. */
type UsedPurpose = Exclude<AccountLinkPurpose, 'confirm_factor_reset'>

/** The used link and what follows from it. */
export interface UsedLink {
  readonly link: AccountLink
  readonly next?: NextLink
  /** After a reset, or a verification in the browser that registered. */
  readonly provenUser?: ProvenUser
}

const uses: Record<UsedPurpose, (deps: UseLinkDeps, form: LinkForm) => Promise<UsedLink>> = {
  verify_email: (deps, form) => {
    if (form.asks === 'new') return resetPassword(deps, form, 'verify_email')
    return form.asks === 'nothing' ? verifyOwnEmail(deps, form) : verifyEmail(deps, form.token)
  },
  change_email: confirmEmailChange,
  undo_email_change: undoEmailChange,
  undo_factor: undoFactor,
  reset_password: (deps, form) => resetPassword(deps, form),
  restore_account: async (deps, { token }) => ({ link: await restoreAccount(deps, token) }),
}

/**
 * Does what a link in a mail is for.
 * @throws LinkInvalidError; RefusedPasswordError; UserError `email_taken`; CommonError `service_unavailable`
 */
export function useAccountLink(
  deps: UseLinkDeps,
  { purpose, ...form }: LinkForm & { readonly purpose: UsedPurpose },
): Promise<UsedLink> {
  return uses[purpose](deps, form)
}
