import type * as z from 'zod/mini'
import type { HttpEvent, HttpResult } from '../../lib/http/contract.ts'
import { readForm } from '../../lib/http/request/readForm.ts'
import { header, sourceIpOf } from '../../lib/http/request/request.ts'
import { knownBrowserCookie, readKnownBrowserCookie, readSessionCookie } from '../../lib/http/security/cookies.ts'
import { isSameOrigin, requireOwnForm } from '../../lib/http/security/formProtection.ts'
import { digestRequest } from '../../lib/oauth/authorize/authorizeParameters.ts'
import { requestToResume } from '../../lib/oauth/authorize/requestToResume.ts'
import { readSession } from '../../lib/oauth/session/session.ts'
import { joinByInvitation, joinSignedIn } from '../../lib/organizations/invitations/joinByInvitation.ts'
import { readInvitation } from '../../lib/organizations/invitations/readInvitation.ts'
import { accountFormAnswer } from '../../lib/pages/account/accountFormAnswer.ts'
import { accountLinkFailure } from '../../lib/pages/account/accountLinkFailure.ts'
import { accountLinkDone, accountLinkPage } from '../../lib/pages/account/accountLinkPage.ts'
import { removedIn } from '../../lib/pages/account/authenticatorList.ts'
import { invitationAnswer, joinAnswer, joinedAnswer } from '../../lib/pages/account/invitationAnswer.ts'
import { type Look, lookFor } from '../../lib/pages/kit/look.ts'
import { pageAnswer } from '../../lib/pages/kit/pageAnswer.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { lostFactorPage } from '../../lib/pages/signIn/lostFactorPage.ts'
import { sessionCookies } from '../../lib/pages/signIn/signInForm.ts'
import { accountFormDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { confirmFactorReset } from '../../lib/signIn/confirmFactorReset.ts'
import { continueAfterPassword } from '../../lib/signIn/continueAfterPassword.ts'
import { newAccountProblems, submitAccountForm } from '../../lib/users/account/submitAccountForm.ts'
import { useAccountLink } from '../../lib/users/account/useAccountLink.ts'
import { RefusedPasswordError } from '../../lib/users/errors.ts'
import { currentPasswordProblem, type LinkPasswordProblem, openLink } from '../../lib/users/links/openLink.ts'
import type { AccountLinkPurpose, ProvenUser } from '../../lib/users/ports.ts'
import { contract } from './contract.ts'

const deps = accountFormDepsFromEnvironment()

type Form = z.output<typeof contract.body>
type MailForm = Exclude<Form, { token: string }>
type Submitted<Purpose> = Extract<Form, { token: string }> & { purpose: Purpose }

/** POST /api/auth/link: performs the action of a link in a mail, or sends such a mail. */
export const handler = pageEndpoint(
  pageHttpDeps(),
  async (event, look) => {
    const form = readForm(event, contract.body)
    if (!('token' in form)) return sendMail(event, form)
    const { purpose } = form
    if (purpose === 'confirm_factor_reset') return confirmRemoval(look, form.token)
    return purpose === 'invitation' ? join(event, look, form) : useLink(event, look, { ...form, purpose })
  },
  accountLinkFailure(deps.ids),
)

async function sendMail(event: HttpEvent, form: MailForm): Promise<HttpResult> {
  const browser = requireOwnForm(event, readSessionCookie(event), form.csrf)
  const look = lookFor(deps.branding, event, form.request)
  const { language } = look
  const request = await requestToResume(deps, form.request)
  const submitted = { ...form, request, language, browser, sourceIp: sourceIpOf(event) }
  const outcome = await submitAccountForm(deps, submitted)
  return accountFormAnswer(look, outcome, { ...form, request })
}

async function confirmRemoval(look: Look, token: string): Promise<HttpResult> {
  const state = { state: 'waiting', isApproved: false, ...(await confirmFactorReset(deps, token)) } as const
  return pageAnswer(look, { status: 200, page: lostFactorPage(look, { state, request: '', csrf: undefined }) })
}

/** No other site knows the token of a link, so its form needs no `csrf`. */
async function useLink(
  event: HttpEvent,
  look: Look,
  form: Submitted<Exclude<AccountLinkPurpose, 'confirm_factor_reset'>>,
): Promise<HttpResult> {
  const { purpose, password, token } = form
  const address = { purpose, token, choose: form.choose !== '' }
  const opened = await openLink(deps, address, readSessionCookie(event))
  const again = (problem: LinkPasswordProblem) =>
    pageAnswer(look, {
      status: 422,
      page: accountLinkPage(look, { ...opened, token, problem, removed: removedIn(form) }),
    })
  const problem = await currentPasswordProblem(deps, opened, password)
  if (problem !== undefined) return again(problem)
  try {
    const removeAuthenticators = removedIn(form)
    const use = { purpose, token, asks: opened.asks, password, removeAuthenticators, language: look.language }
    const used = await useAccountLink(deps, { ...use, knownBrowser: readKnownBrowserCookie(event) })
    const { request } = used.link
    const after = lookFor(deps.branding, event, request)
    const signIn =
      used.provenUser && (await signInWith(event, look, { request, isNewPassword: true, ...used.provenUser }))
    const page = accountLinkDone(after, purpose, { request, next: used.next, signIn: signIn?.step, asks: opened.asks })
    return pageAnswer(after, { status: 200, page, cookies: signIn?.cookies ?? [] })
  } catch (error) {
    if (error instanceof RefusedPasswordError) return again(error.problem)
    throw error
  }
}

/** A user who has set or entered the password behind a link. `request`: the query of the authorization request to resume. */
interface LinkUser extends ProvenUser {
  readonly request?: string | undefined
  readonly isNewPassword: boolean
}

/**
 * Signs in the user who has set or entered the password behind a link, in the browser that sent the form. The form of another site signs in no
 * one: it could sign a person in to an account of that site's owner (login CSRF).
 * @returns how far the browser is signed in, and its cookies
 */
async function signInWith(event: HttpEvent, { language }: Look, { request, isNewPassword, ...proven }: LinkUser) {
  const known = knownBrowserCookie(proven.knownBrowser)
  if (!isSameOrigin(event)) return { step: undefined, cookies: [known] }
  const browser = {
    secret: readSessionCookie(event) ?? deps.ids.secret(),
    signedInFor: request === undefined ? undefined : digestRequest(request),
  }
  // After a new password, or a registration, the account knows the browser: no mail says that a new one signed in.
  const cookie = isNewPassword ? proven.knownBrowser.value : readKnownBrowserCookie(event)
  const from = { userAgent: header(event, 'user-agent'), language, cookie }
  const { step, session } = await continueAfterPassword(deps, browser, { ...proven, at: deps.clock.now(), from })
  return { step, cookies: [...new Set([known, ...sessionCookies(session)])] }
}

async function join(event: HttpEvent, look: Look, form: Submitted<unknown>): Promise<HttpResult> {
  if (form.csrf !== '') return joinAtOnce(event, look, form)
  const outcome = await joinByInvitation(deps, {
    ...form,
    sourceIp: sourceIpOf(event),
    knownBrowser: readKnownBrowserCookie(event),
    problemsOf: (context) => newAccountProblems(deps, form, context),
  })
  if (outcome.outcome !== 'joined') return joinAnswer(look, outcome, await readInvitation(deps, form.token), form)
  return joinedAnswer(look, outcome, (await signInWith(event, look, outcome.provenUser)).cookies)
}

/** The button of a user who is signed in. */
async function joinAtOnce(event: HttpEvent, look: Look, { csrf, token }: Submitted<unknown>): Promise<HttpResult> {
  const session = await readSession(deps, requireOwnForm(event, readSessionCookie(event), csrf))
  const outcome = await joinSignedIn(deps, { token, visitor: session })
  if (outcome.outcome === 'joined') return joinedAnswer(look, outcome, [])
  const visitor = session && { user: session.user, csrf }
  return invitationAnswer(look, await readInvitation(deps, token), { token, visitor })
}
