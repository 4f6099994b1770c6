import { CommonError } from '../../core/errors.ts'
import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import type { MailDeps } from '../deps.ts'
import { findLink, issueLink, requireLinkUsed } from '../links/accountLinks.ts'
import { emailChangeUndone } from '../mails.ts'
import type { AccountDeletion, AccountLink, NextLink } from '../ports.ts'

/** Dependencies of undoing a change, and of the mail about it. */
type UndoDeps = Pick<MailDeps, 'accounts' | 'links' | 'ids' | 'clock' | 'accountUrl' | 'mailer' | 'logger' | 'branding'>

/** More changes than this during one request are not made by people. */
const MAX_ATTEMPTS = 5

/**
 * Gives the account the address back that it had before a change, verified, and frees the one that it has now. Ends all sessions and
 * grants, and voids every other link, those that undo later changes included: who made them has no say any more. Returns the link, and
 * another one that chooses a new password, for the old one was known to who changed the address; or, of an account that is being deleted,
 * that restores it: the mail about its deletion went to the other address.
 * @throws UserError `link_invalid`, `email_taken` when another account has the address by now; CommonError `service_unavailable`
 */
export async function undoEmailChange(
  deps: UndoDeps,
  { token, language }: { token: string; language: Language },
): Promise<{ link: AccountLink; next: NextLink }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const { use, account } = await findLink(deps, { purpose: 'undo_email_change', token })
    const { user, formerEmails } = account
    const { userId, email, change } = use.link
    const securityRev = account.securityRev + 1
    const next = await issueNext(deps, { userId, email, securityRev }, account.deletion)
    const earlier = formerEmails.slice(
      0,
      formerEmails.findIndex((former) => former.change === change),
    )
    const outcome = await deps.accounts.undoEmailChange(use, { ...account, formerEmails: earlier })
    if (outcome === 'conflict') continue
    requireLinkUsed(outcome, use)
    await notify(deps, emailChangeUndone({ branding: deps.branding, language }, { to: user.email }))
    return { link: use.link, next }
  }
  throw new CommonError('service_unavailable', { message: 'account changed concurrently' })
}

async function issueNext(
  deps: UndoDeps,
  about: Pick<AccountLink, 'userId' | 'email' | 'securityRev'>,
  deletion: AccountDeletion | undefined,
): Promise<NextLink> {
  const purpose = deletion === undefined ? 'reset_password' : 'restore_account'
  const { link } = await issueLink(deps, { purpose, ...about, ...(deletion && { until: deletion.eraseAfter }) })
  return { purpose, url: link }
}
