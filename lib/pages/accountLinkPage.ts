import { html } from '../core/html.ts'
import { ACCOUNT_LINK_PATH } from '../mail/accountLinkUrl.ts'
import type { AccountLinkPurpose, PasswordProblem } from '../users/ports.ts'
import { passwordField } from './fields.ts'
import type { Look } from './look.ts'
import { messagePage } from './messagePage.ts'
import { signInStep } from './nextStep.ts'
import { type Page, page } from './page.ts'

/** The opened link, and the problem of the last submitted password. */
interface AccountLinkForm {
  readonly purpose: AccountLinkPurpose
  readonly token: string
  readonly problem?: PasswordProblem | undefined
}

/** The page behind a link in a mail. Nothing changes until its button is pressed, because mail programs open links. */
export function accountLinkPage(look: Look, { purpose, token, problem }: AccountLinkForm): Page {
  const { title, lead, button } = look.texts.links[purpose]
  const isReset = purpose === 'reset_password'
  return page(look, {
    title,
    hasProblem: problem !== undefined,
    hasPassword: isReset,
    body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<form method="post" action="${linkAction(purpose, token)}" novalidate>
<input type="hidden" name="purpose" value="${purpose}">
<input type="hidden" name="token" value="${token}">
${isReset && passwordField(look, { kind: 'reset', problem, hasFocus: true })}
<button type="submit">${button}</button>
</form>`,
  })
}

/** Where the form of a link is sent: to the link itself, so that a page after it can lead back there. */
export function linkAction(purpose: string, token: string): string {
  return `${ACCOUNT_LINK_PATH}?${new URLSearchParams({ purpose, token })}`
}

/**
 * The page after a link was used: it leads to where its user was going.
 * @param request the query of the authorization request that the link is stored with
 */
export function accountLinkDone(look: Look, purpose: AccountLinkPurpose, request: string | undefined): Page {
  return messagePage(look, { ...look.texts.links[purpose].done, next: signInStep(look, request) })
}
