import { type Html, html } from '../../core/html.ts'
import { ACCOUNT_LINK_PATH } from '../../mail/accountLinkUrl.ts'
import type { StartedSignIn } from '../../signIn/continueAfterPassword.ts'
import { accountFormPath } from '../../users/links/accountForm.ts'
import type { LinkPasswordProblem, OpenedLink } from '../../users/links/openLink.ts'
import type { AccountLinkPurpose, NextLink } from '../../users/ports.ts'
import { hiddenFields, passwordField } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { linkToSignIn } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { removalChoice, removedList } from './authenticatorList.ts'

/** The opened link, and the problem of the last submitted password. */
interface AccountLinkForm extends OpenedLink {
  readonly token: string
  readonly problem?: LinkPasswordProblem | undefined
  /** The ids that were ticked in the form as it was sent; undefined on the first page. */
  readonly removed?: readonly string[] | undefined
}

/**
 * The page behind a link in a mail. Nothing changes until its button is pressed, because mail programs open links. In the browser that
 * registered, a script presses it.
 */
export function accountLinkPage(look: Look, form: AccountLinkForm): WebPage {
  const { link, token, asks, problem } = form
  const { purpose } = link
  const { title, button } = look.texts.links[purpose]
  const isVerification = purpose === 'verify_email'
  const choosesPassword = isVerification && asks === 'new'
  // Such a page does not name the account: if the address is mistyped, its owner is a stranger.
  const asksToChange = purpose === 'change_email' && asks === 'current'
  // Programs that open links have no cookie of the browser that registered.
  const continues = isVerification && asks === 'nothing' && problem === undefined
  return page(look, {
    title,
    hasProblem: problem !== undefined,
    hasPassword: asks !== 'nothing',
    continues,
    body: html`<h1>${title}</h1>
${purpose === 'verify_email' ? verificationLead(look, form) : html`<p class="lead">${asksToChange ? look.texts.emailChange.current : look.texts.links[purpose].lead}</p>`}
${purpose === 'undo_factor' && removedList(look, form)}
<form method="post" action="${linkAction(purpose, token)}" novalidate>
${hiddenFields({ purpose, token, ...(choosesPassword && { choose: '1' }) })}${purpose === 'reset_password' && removalChoice(look, form)}${asks !== 'nothing' && passwordField(look, { kind: asks === 'new' ? 'reset' : 'current', problem, hasFocus: true })}
<button type="submit"${continues && html` data-continue`}>${choosesPassword ? look.texts.verification.newButton : button}</button>
</form>
${isVerification && verificationEnd(look, form)}${asksToChange && html`<p class="hint">${look.texts.emailChange.unexpected}</p>`}`,
  })
}

/** Names the account, so that users do not verify an account that a stranger created. */
function verificationLead({ texts }: Look, { link, account, asks }: AccountLinkForm): Html {
  const { verification } = texts
  return html`<p class="lead">${verification.account(link.email, account.user.username)}</p>
${asks !== 'nothing' && html`<p>${verification[asks]}</p>`}`
}

function verificationEnd({ texts }: Look, { token, asks }: AccountLinkForm): Html {
  const { verification } = texts
  const choose = `${linkAction('verify_email', token)}&choose=1`
  return html`${
    asks === 'current' &&
    html`<p class="after"><a href="${choose}">${verification.choose}</a></p>
`
  }<p class="hint">${verification.unexpected}</p>`
}

/** The target of a link's form: the link itself, so that the next page can lead back. */
export function linkAction(purpose: string, token: string): string {
  return `${ACCOUNT_LINK_PATH}?${new URLSearchParams({ purpose, token })}`
}

/** Where the page after a link leads on to. */
interface AfterLink {
  /** The query of the authorization request that the link is stored with. */
  readonly request: string | undefined
  /** The next link, if any. */
  readonly next: NextLink | undefined
  /** How far the link has signed the browser in; undefined if it has not. */
  readonly signIn: StartedSignIn['step'] | undefined
  readonly asks: OpenedLink['asks']
}

/** The page after a link was used: it leads the user on, or to a new password first. After a registration it goes on by itself. */
export function accountLinkDone(
  look: Look,
  purpose: Exclude<AccountLinkPurpose, 'confirm_factor_reset'>,
  { request, next, signIn, asks }: AfterLink,
): WebPage {
  const { links, afterReset, verification } = look.texts
  if (signIn !== undefined) {
    const { href } = linkToSignIn(look, request)
    const text = asks === 'nothing' ? verification.signedIn : afterReset[signIn]
    const message = { title: links[purpose].done.title, text, next: { label: afterReset.next, href } }
    return messagePage(look, message, asks === 'nothing' ? 'at_once' : 'when_asked')
  }
  const step = next === undefined ? linkToSignIn(look, request) : { label: links[next.purpose].title, href: next.url }
  // The person who asked for the deletion may know the password.
  const isKept = purpose === 'restore_account'
  const other = isKept
    ? { label: links.restore_account.newPassword, href: accountFormPath('forgot_password') }
    : undefined
  return messagePage(look, { ...links[purpose].done, next: step, other })
}
