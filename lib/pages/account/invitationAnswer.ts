import type { HttpResult } from '../../http/contract.ts'
import { knownBrowserCookie } from '../../http/security/cookies.ts'
import type { JoinOutcome } from '../../organizations/invitations/joinByInvitation.ts'
import type { InvitationView } from '../../organizations/invitations/readInvitation.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import { statusOf } from '../signIn/signInForm.ts'
import { invitationPage } from './invitationPage.ts'

/** The page of an invitation; if it no longer works, the page says what to do. */
export function invitationAnswer(look: Look, view: InvitationView, token: string): HttpResult {
  if (view.state === 'open') return pageAnswer(look, { status: 200, page: invitationPage(look, view, { token }) })
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
  if (view.state !== 'open' || outcome.outcome === 'closed') return invitationAnswer(look, view, form.token)
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

/** The page after joining. */
export function joinedAnswer(
  look: Look,
  { own, knownBrowser }: Extract<JoinOutcome, { outcome: 'joined' }>,
): HttpResult {
  const { done } = look.texts.invitation
  const { organization, role } = own
  const next = applicationStep(look, organization.id)
  const message = { title: done.title(organization.name), text: done.text(role), next }
  const cookies = knownBrowser === undefined ? [] : [knownBrowserCookie(knownBrowser)]
  return pageAnswer(look, { status: 200, page: messagePage(look, message), cookies })
}
