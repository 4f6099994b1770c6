import { displayAddress } from '../../core/displayAddress.ts'
import { type Html, html } from '../../core/html.ts'
import type { HttpResult } from '../../http/contract.ts'
import type { JoinOutcome } from '../../organizations/invitations/joinByInvitation.ts'
import {
  type InvitationView,
  type JoinKind,
  joinKindOf,
  joinStepOf,
  type OpenInvitation,
} from '../../organizations/invitations/readInvitation.ts'
import type { OwnOrganization } from '../../organizations/ports.ts'
import { accountFormPath } from '../../users/links/accountForm.ts'
import type { User } from '../../users/ports.ts'
import { type FieldProblem, hiddenFields, passwordField, usernameField } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import { statusOf } from '../signIn/signInForm.ts'
import { linkAction } from './accountLinkPage.ts'

/** The user who is signed in in a browser. */
export interface SignedInVisitor {
  readonly user: User
  /** Made by `formToken`. */
  readonly csrf: string
}

/** The page of an invitation; if it no longer works, the page says what to do. */
export function invitationAnswer(
  look: Look,
  view: InvitationView,
  { token, visitor }: { readonly token: string; readonly visitor?: SignedInVisitor | undefined },
): HttpResult {
  if (view.state === 'open') {
    const step = joinStepOf(view.account, visitor?.user)
    const isOfVisitor = visitor !== undefined && (step === 'accept' || step === 'other_user')
    const page = isOfVisitor ? visitorPage(look, view, { token, visitor, step }) : invitationPage(look, view, { token })
    return pageAnswer(look, { status: 200, page })
  }
  const message = { ...look.texts.invitation[view.state], next: applicationStep(look) }
  return pageAnswer(look, { status: 400, page: messagePage(look, message) })
}

/**
 * The answer if a form did not join: the form with its problems, or the reason why the invitation no longer works.
 * @param view the invitation as it is after the form
 */
export function joinAnswer(
  look: Look,
  outcome: Exclude<JoinOutcome, { outcome: 'joined' }>,
  view: InvitationView,
  form: { readonly token: string; readonly username: string },
): HttpResult {
  if (view.state !== 'open' || outcome.outcome === 'closed') return invitationAnswer(look, view, form)
  if (outcome.outcome !== 'sign_in_refused') {
    const status = outcome.outcome === 'username_taken' ? 409 : 422
    return pageAnswer(look, { status, page: invitationPage(look, view, { ...form, problems: outcome.problems }) })
  }
  const { problem } = outcome
  const state =
    problem.code === 'wrong_credentials'
      ? ({ problems: { password: 'wrong_password' } } as const)
      : { retryAfterSeconds: problem.retryAfterSeconds }
  return pageAnswer(look, { ...statusOf(problem), page: invitationPage(look, view, { ...form, ...state }) })
}

/**
 * The page after joining.
 * @param cookies of the sign-in that came with it
 */
export function joinedAnswer(
  look: Look,
  { own }: { readonly own: OwnOrganization },
  cookies: readonly string[],
): HttpResult {
  const { done } = look.texts.invitation
  const { organization, role } = own
  const next = applicationStep(look, organization.id)
  const message = { title: done.title(organization.name), text: done.text(role), next }
  return pageAnswer(look, { status: 200, page: messagePage(look, message), cookies })
}

/** The state of the form: empty, or as last submitted, without its password. */
interface JoinFormState {
  readonly token: string
  readonly username?: string
  readonly problems?: { readonly username?: FieldProblem; readonly password?: FieldProblem }
  /** Too many attempts to sign in: how long to wait. */
  readonly retryAfterSeconds?: number
}

/** The page of an invitation in the browser of a signed-in user: a button to join, or the way to another account. */
function visitorPage(
  look: Look,
  { organization, inviter, invitation }: OpenInvitation,
  { token, visitor, step }: { token: string; visitor: SignedInVisitor; step: 'accept' | 'other_user' },
): WebPage {
  const { title, lead, accept, otherUser } = look.texts.invitation
  const { consent } = look.texts
  const action = linkAction('invitation', token)
  return page(look, {
    title: title(organization.name),
    body: html`<h1>${title(organization.name)}</h1>
<p class="lead">${lead(inviter, organization.name, invitation.role)}</p>
<div class="account"><p>${consent.signedInAs(displayAddress(visitor.user.email))}</p></div>
${
  step === 'accept'
    ? html`<form method="post" action="${action}">
${hiddenFields({ purpose: 'invitation', token, csrf: visitor.csrf })}<button type="submit">${accept}</button>
</form>`
    : html`<p>${otherUser(displayAddress(invitation.email))}</p>
<a class="button" href="${action}&choose=1">${consent.switchAccount}</a>`
}`,
  })
}

/** The page of an invitation: who invites to which organization, and the form to join. */
function invitationPage(look: Look, view: OpenInvitation, state: JoinFormState): WebPage {
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
${hiddenFields({ purpose: 'invitation', token })}${address(look, invitation.email)}
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
  const isNew = kind !== 'sign_in'
  const hasName = isNew && problems.username === undefined && username !== ''
  const first = isNew && !hasName ? 'username' : 'password'
  return html`${isNew && usernameField(look, { value: username, problem: problems.username, hasFocus: first === 'username' })}
${passwordField(look, { kind: kind === 'sign_in' ? 'current' : 'new', problem: problems.password, hasFocus: first === 'password' })}`
}
