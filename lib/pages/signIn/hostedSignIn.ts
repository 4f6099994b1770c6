import type * as z from 'zod/mini'
import { CALLBACK_PATH } from '../../core/providerUrls.ts'
import { seeOther } from '../../http/answer/answer.ts'
import type { HttpEvent, HttpResult } from '../../http/contract.ts'
import type { hostedSignInForms } from '../../http/request/readForm.ts'
import { header, sourceIpOf } from '../../http/request/request.ts'
import { endedSessionCookie, readKnownBrowserCookie, sessionCookie } from '../../http/security/cookies.ts'
import { foreignToken, formToken, type readOwnForm } from '../../http/security/formProtection.ts'
import { isShortEnough } from '../../oauth/authorize/requestToResume.ts'
import { isSignInQuestion } from '../../signIn/askSignIn.ts'
import { leaveAccount } from '../../signIn/pendingSignIn.ts'
import type { ReturnPage } from '../../signIn/provider/ports.ts'
import { readOtherTab } from '../../signIn/readOtherTab.ts'
import { type SignInStep, type SubmitSignInDeps, submitSignIn } from '../../signIn/submitSignIn.ts'
import type { Look } from '../kit/look.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import type { Visitor } from './authorizeAnswer.ts'
import { sessionCookies, signInForm } from './signInForm.ts'

/** A sign-in form that a browser sent. */
type SentSignInForm = z.output<(typeof hostedSignInForms)[number]>

/** Whether a form of a hosted page is of the sign-in to it. */
export function isSignInForm<Form extends { readonly action: string }>(
  form: Form,
): form is Extract<Form, { action: SentSignInForm['action'] }> {
  const { action } = form
  return ['address', 'login', 'second_factor', 'passkey', 'switch'].includes(action)
}

/** A hosted page that asks for a sign-in. */
interface HostedSignInPage {
  readonly path: string
  /** Its name if a sign-in at a provider leads back to it; undefined if it offers none. */
  readonly returnPage: ReturnPage['page'] | undefined
  /** Said before the form. */
  readonly notice?: string | undefined
}

/**
 * The sign-in to a hosted page of this service itself, which leads back to that page.
 * @param page `path`: of the page. `email`: to prefill, of a session that is not recent enough
 */
export function hostedSignInAnswer(
  look: Look,
  step: SignInStep,
  page: Visitor & HostedSignInPage & { readonly email?: string | undefined },
): HttpResult {
  const { path, query, secret, isNew, passkeyOrigin, email = '', notice, returnPage } = page
  const action = `${path}?${query}`
  if (!isSignInQuestion(step)) return seeOther(action, sessionCookies(step.session))
  const place = {
    ...{ clientName: look.branding.name, notice, request: undefined, action, csrf: formToken(secret), passkeyOrigin },
    returnTo: returnPage && isShortEnough(query) ? { page: returnPage, query } : undefined,
  }
  const cookies = isNew ? [sessionCookie(secret)] : []
  return pageAnswer(look, { ...signInForm(look, { ...step, email: step.email || email }, place), cookies })
}

/**
 * Handles a form of that sign-in. If another tab has signed in since the form was shown, leads to the page in that session.
 * @param sent `kind` and `secret` as `readOwnForm` returns them
 * @throws RequestError `foreign_form`; CommonError `service_unavailable`
 */
export async function submitHostedSignIn(
  deps: SubmitSignInDeps,
  { event, look }: { readonly event: HttpEvent; readonly look: Look },
  { form, kind, secret }: ReturnType<typeof readOwnForm> & { readonly form: SentSignInForm },
  page: HostedSignInPage & { readonly passkeyOrigin: string },
): Promise<HttpResult> {
  if (kind === 'other_cookie') {
    if ((await readOtherTab(deps, secret)) === undefined) throw foreignToken()
    return seeOther(`?${event.rawQueryString}`)
  }
  if (form.action === 'switch') {
    await leaveAccount(deps, secret)
    return seeOther(`?${event.rawQueryString}`, [endedSessionCookie])
  }
  const from = {
    sourceIp: sourceIpOf(event),
    knownBrowser: readKnownBrowserCookie(event),
    userAgent: header(event, 'user-agent'),
    language: look.language,
  }
  const step = await submitSignIn(deps, { secret, signedInFor: undefined }, { ...form, ...from })
  return hostedSignInAnswer(look, step, { ...page, query: event.rawQueryString, secret, isNew: false })
}

/** The sign-in before a provider's person is connected with an account; it offers no provider. */
export function connectSignIn(look: Look, provider?: string): HostedSignInPage {
  const notice = provider === undefined ? undefined : look.texts.provider.signInFirst(provider)
  return { path: CALLBACK_PATH, returnPage: undefined, notice }
}
