import type { Language } from '../../core/language.ts'
import type { Mail } from '../../mail/mailer.ts'
import { notify } from '../../mail/notify.ts'
import type { MailLook } from '../../mail/renderMail.ts'
import type { ChangeNotice } from '../../mail/shortMail.ts'
import { issueLink } from '../../users/links/accountLinks.ts'
import { spendMail } from '../../users/mailBudget.ts'
import type { Account, AddedAuthenticator } from '../../users/ports.ts'
import type { AuthenticatorDeps, MailedChangeDeps } from '../deps.ts'
import { authenticatorAdded } from '../mails.ts'

/** Who changes, and in which language the mail about it is. */
interface Changing<Deps> {
  readonly deps: Deps
  readonly user: Account['user']
  readonly language: Language
}

/**
 * Changes a user's authenticators and mails the user about it. Spends the mail first: if the budget is used up, nothing changes, so no
 * change goes unnoticed. If the mail is not accepted, the change remains.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`; what `change` throws
 */
export async function changeWithMail<Result>(
  { deps, user, language }: Changing<MailedChangeDeps>,
  change: () => Promise<Result>,
  mailOf: (look: MailLook, notice: ChangeNotice) => Mail,
): Promise<Result> {
  await spendMail(deps, [{ kind: 'authenticator_change', subject: user.id }])
  const result = await change()
  const { branding, accountUrl } = deps
  await notify(deps, mailOf({ branding, language }, { to: user.email, accountUrl }))
  return result
}

/**
 * Adds an authenticator as `changeWithMail` does. The mail has a link that undoes the addition; it goes to the address of the account and to
 * each that it had in the last 7 days, because a thief may have moved the account first.
 * @throws as `changeWithMail`
 */
export async function addWithMail<Result>(
  { deps, user, language }: Changing<MailedChangeDeps & Pick<AuthenticatorDeps, 'accounts' | 'ids'>>,
  { type, name }: Pick<AddedAuthenticator, 'type'> & { readonly name?: string },
  add: () => Promise<Result>,
): Promise<Result> {
  await spendMail(deps, [{ kind: 'authenticator_change', subject: user.id }])
  const account = await deps.accounts.find(user.id)
  const added: AddedAuthenticator = { type, name: name ?? null, at: deps.clock.now() }
  const about = { purpose: 'undo_factor', userId: user.id, securityRev: account?.securityRev ?? 0, added } as const
  const links = await Promise.all(
    addressesOf(account, added.at).map(async (email) => ({
      to: email,
      ...(await issueLink(deps, { ...about, email })),
    })),
  )
  const result = await add()
  await deps.activity.record(user.id, 'factor_added')
  const look = { branding: deps.branding, language }
  await Promise.all(links.map((link) => notify(deps, authenticatorAdded[type](look, link))))
  return result
}

/** The distinct addresses of an account, now and before changes that can still be undone. */
function addressesOf(account: Account | undefined, now: number): string[] {
  if (account === undefined) return []
  const former = account.formerEmails.filter(({ validUntil }) => now < validUntil)
  return [...new Set([account.user, ...former].map(({ email }) => email))]
}
