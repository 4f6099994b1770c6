import { seeOther } from '../http/answer.ts'
import type { HttpResult } from '../http/contract.ts'
import { formToken } from '../http/formProtection.ts'
import { endedSessionCookie, sessionCookie } from '../http/sessionCookie.ts'
import type { AuthorizeStep, SessionChange, UntrustedReason } from '../oauth/authorizeStep.ts'
import type { LoginProblem } from '../oauth/ports.ts'
import { consentPage } from './consentPage.ts'
import { loginPage } from './loginPage.ts'
import { messagePage } from './messagePage.ts'
import { pageAnswer } from './pageAnswer.ts'

/** The browser that sent the request. */
export interface Visitor {
  /** The query of the request, without `?`. */
  query: string
  /** The secret in its cookie, or a new one. */
  secret: string
  /** Whether the secret is new and the cookie has to be set. */
  isNew: boolean
}

/** The answer of the authorization endpoint: a page with forms that only this browser can send, or a redirect. */
export function authorizeAnswer(step: AuthorizeStep, visitor: Visitor): HttpResult {
  if (step.step === 'again') return seeOther(`?${step.query}`, cookiesOf(step.session))
  if (step.step === 'respond') return seeOther(step.location)
  if (step.step === 'untrusted') return pageAnswer({ status: 400, page: messagePage(untrusted[step.reason]) })
  const form = { action: `?${visitor.query}`, csrf: formToken(visitor.secret) }
  return pageAnswer({
    ...(step.step === 'login' ? statusOf(step.problem) : { status: 200 }),
    page: step.step === 'login' ? loginPage({ ...step, ...form }) : consentPage({ ...step, ...form }),
    // Browsers apply the policy to every redirect after a form, also to the client's own, and a policy cannot name `[::1]`: so it
    // allows a scheme, an app's own among them. The form's own target is ours.
    formTargets: [new URL(step.returnsTo).protocol],
    // Consoles open sign-in and consent in popups, too.
    keepsOpener: true,
    cookies: visitor.isNew ? [sessionCookie(visitor.secret)] : [],
  })
}

/** Not 401, which requires a challenge (RFC 9110 §15.5.2), nor 422, whose body is a list of problems in this API. */
function statusOf(problem: LoginProblem | undefined): { status: number; headers?: Record<string, string> } {
  if (problem === undefined) return { status: 200 }
  if (problem.code === 'wrong_credentials') return { status: 400 }
  return { status: 429, headers: { 'retry-after': `${problem.retryAfterSeconds}` } }
}

function cookiesOf(session: SessionChange | undefined): string[] {
  if (session === undefined) return []
  return [session === 'ended' ? endedSessionCookie : sessionCookie(session.started, session.maxAgeSeconds)]
}

/** Constant texts: they never repeat the request. */
const untrusted: Record<UntrustedReason, { title: string; text: string }> = {
  unknown_client: {
    title: 'Unknown application',
    text: 'We don’t recognize the application that sent you here. Nothing was changed. You can close this page.',
  },
  untrusted_redirect_uri: {
    title: 'This link cannot be used',
    text: 'The application that sent you here asked for a redirect to an address that is not registered for it. Nothing was changed. You can close this page.',
  },
}
