import { displayAddress } from '../../core/displayAddress.ts'
import { type Html, html } from '../../core/html.ts'
import { type JoinKind, joinKindOf, type OpenInvitation } from '../../organizations/invitations/readInvitation.ts'
import { accountFormPath } from '../../users/links/accountForm.ts'
import { type FieldProblem, passwordField, usernameField } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { page, type WebPage } from '../kit/page.ts'
import { linkAction } from './accountLinkPage.ts'

/** The state of the form: empty, or as last submitted, without its password. */
interface JoinFormState {
  readonly token: string
  readonly username?: string
  readonly problems?: { readonly username?: FieldProblem; readonly password?: FieldProblem }
  /** Too many attempts to sign in: how long to wait. */
  readonly retryAfterSeconds?: number
}

/** The page of an invitation: who invites to which organization, and the form to join. */
export function invitationPage(look: Look, view: OpenInvitation, state: JoinFormState): WebPage {
  const { organization, inviter, invitation, account } = view
  const { token, problems = {}, retryAfterSeconds } = state
  const { title, lead, ...texts } = look.texts.invitation
  const kind = joinKindOf(account)
  const wait = retryAfterSeconds !== undefined && look.texts.signIn.tooManyAttempts(retryAfterSeconds)
  return page(look, {
    title: title(organization.name),
    hasProblem: Object.keys(problems).length > 0,
    hasPassword: true,
    body: html`<h1>${title(organization.name)}</h1>
<p class="lead">${lead(inviter, organization.name, invitation.role)}</p>
<p>${texts[kind]}</p>
${wait && html`<p class="notice bad" role="alert">${wait}</p>`}
<form method="post" action="${linkAction('invitation', token)}" novalidate>
<input type="hidden" name="purpose" value="invitation">
<input type="hidden" name="token" value="${token}">
${address(look, invitation.email)}
${fieldsOf(look, kind, state)}
<button type="submit">${texts.buttons[kind]}</button>
</form>
${kind === 'sign_in' && html`<p class="after"><a href="${accountFormPath('forgot_password')}">${look.texts.signIn.forgotPassword}</a></p>`}`,
  })
}

/** The invited address is the address that joins, so the form does not ask for it. Password managers find the account by it. */
function address({ texts }: Look, email: string): Html {
  return html`<label for="email">${texts.fields.email}</label>
<input id="email" type="email" value="${displayAddress(email)}" autocomplete="username" readonly>`
}

function fieldsOf(look: Look, kind: JoinKind, { username = '', problems = {} }: JoinFormState): Html {
  const isNew = kind === 'register'
  const hasName = isNew && problems.username === undefined && username !== ''
  const first = isNew && !hasName ? 'username' : 'password'
  return html`${isNew && usernameField(look, { value: username, problem: problems.username, hasFocus: first === 'username' })}
${passwordField(look, { kind: kind === 'sign_in' ? 'current' : 'new', problem: problems.password, hasFocus: first === 'password' })}`
}
