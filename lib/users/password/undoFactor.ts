import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import { emailKey } from '../emailKey.ts'
import { findLink, issueLink, requireLinkUsed } from '../links/accountLinks.ts'
import { addedSince, removalOf } from '../links/removableAuthenticators.ts'
import { factorUndone } from '../mails.ts'
import type { Account, AccountLink, NextLink } from '../ports.ts'
import { untilUnchanged } from '../untilUnchanged.ts'
import { requireGoodPassword } from './goodPassword.ts'
import type { ResetDeps } from './resetPassword.ts'

/** Dependencies of undoing an added authenticator. */
export type UndoFactorDeps = Omit<ResetDeps, 'browserKeys'>

/**
 * Removes an added authenticator with everything that was added since, sets a new password, and ends all sessions and grants.
 * Signs in no one: the link went to each address that the account had in the last 7 days. If the account has another address by now, the
 * next link gives it back.
 * @throws UserError `link_invalid`; RefusedPasswordError if the link is valid; CommonError `service_unavailable`
 */
export async function undoFactor(
  deps: UndoFactorDeps,
  { token, password, language }: { token: string; password: string; language: Language },
): Promise<{ link: AccountLink; next?: NextLink }> {
  const opened = await findLink(deps, { purpose: 'undo_factor', token })
  await requireGoodPassword(deps, { password, field: 'password', ...opened.account.user })
  const setAt = deps.clock.now()
  const to = { passwordHash: await deps.passwords.hash(password), keptFamily: undefined, setAt }
  const { account, link } = await untilUnchanged(async () => {
    const { use, account } = await findLink(deps, { purpose: 'undo_factor', token })
    const own = await deps.authenticators.list(account.user.id)
    const removal = removalOf(own, addedSince(own, use.link))
    const outcome = await deps.accounts.undoFactor(use, to, { securityRev: account.securityRev, removal })
    if (outcome === 'conflict') return outcome
    requireLinkUsed(outcome, use)
    return { account, link: use.link }
  })
  await deps.activity.record(link.userId, 'password_reset')
  await deps.activity.record(link.userId, 'factor_removed')
  const { branding, accountUrl } = deps
  for (const address of new Set([link.email, account.user.email]))
    await notify(deps, factorUndone({ branding, language }, { to: address, accountUrl }))
  const next = await issueWayBack(deps, account, link)
  return { link, ...(next && { next }) }
}

/** The link that gives the account the address back that the used link was sent to; undefined if it has that address. */
async function issueWayBack(
  deps: UndoFactorDeps,
  { user, securityRev, formerEmails }: Account,
  { email }: AccountLink,
): Promise<NextLink | undefined> {
  const former = formerEmails.findLast((one) => emailKey(one.email) === emailKey(email))
  if (former === undefined || emailKey(user.email) === emailKey(email)) return undefined
  const { change, validUntil: until } = former
  const about = { purpose: 'undo_email_change', userId: user.id, email: former.email, securityRev } as const
  const { link: url } = await issueLink(deps, { ...about, change, until })
  return { purpose: 'undo_email_change', url }
}
