import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import type { MailDeps } from '../deps.ts'
import { findLink, issueLink, requireLinkUsed } from '../links/accountLinks.ts'
import { emailChangeUndone } from '../mails.ts'
import type { AccountDeletion, AccountLink, NextLink } from '../ports.ts'
import { untilUnchanged } from '../untilUnchanged.ts'

/** Dependencies of undoing a change, including the mail about it. */
type UndoDeps = Pick<
  MailDeps,
  'accounts' | 'links' | 'ids' | 'clock' | 'accountUrl' | 'mailer' | 'activity' | 'logger' | 'branding'
>

/**
 * Gives the account its earlier address back, verified, and frees the current address. Ends all sessions and grants. Voids every other
 * link, including links that undo later changes: the person who made those changes has no say any more. Returns the link and a next link:
 * it sets a new password, because the person who changed the address knew the old password. If the account is being deleted, the next link
 * restores it, because the mail about the deletion went to the other address.
 * @throws UserError `link_invalid`; `email_taken` if another account has the address by now; CommonError `service_unavailable`
 */
export async function undoEmailChange(
  deps: UndoDeps,
  { token, language }: { token: string; language: Language },
): Promise<{ link: AccountLink; next: NextLink }> {
  return untilUnchanged(async () => {
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
    if (outcome === 'conflict') return outcome
    requireLinkUsed(outcome, use)
    await deps.activity.record(userId, 'email_changed')
    await notify(deps, emailChangeUndone({ branding: deps.branding, language }, { to: user.email }))
    return { link: use.link, next }
  })
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
