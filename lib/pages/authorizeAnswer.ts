import { seeOther } from '../http/answer.ts'
import type { HttpResult } from '../http/contract.ts'
import { formToken } from '../http/formProtection.ts'
import { endedSessionCookie, sessionCookie } from '../http/sessionCookie.ts'
import type { AuthorizeStep, LoginProblem, SessionChange, UntrustedReason } from '../oauth/authorizeStep.ts'
import { consentPage } from './consentPage.ts'
import { loginPage } from './loginPage.ts'
import { messagePage } from './messagePage.ts'
import { pageAnswer } from './pageAnswer.ts'

/** The browser that is answered. */
export interface Visitor {
  /** The query of its request, without `?`. */
  query: string
  /** The secret of its cookie, or a new one for it. */
  secret: string
  /** Whether the browser has yet to be given that secret. */
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
    // Browsers hold every redirect after a form to the policy, also those that the client adds behind its own address; and a policy
    // cannot name `[::1]`. So it names a scheme. Where the form itself goes is ours to write.
    formTargets: [new URL(step.returnsTo).protocol],
    cookies: visitor.isNew ? [sessionCookie(visitor.secret)] : [],
  })
}

/** No 401, which has to name a way to authenticate (RFC 9110 §15.5.2), and no 422, whose body is a list of problems in this API. */
function statusOf(problem: LoginProblem | undefined): { status: number; headers?: Record<string, string> } {
  if (problem === undefined) return { status: 200 }
  if (problem.code === 'wrong_credentials') return { status: 400 }
  return { status: 429, headers: { 'retry-after': `${problem.retryAfterSeconds}` } }
}

function cookiesOf(session: SessionChange | undefined): string[] {
  if (session === undefined) return []
  return [session === 'ended' ? endedSessionCookie : sessionCookie(session.started, session.maxAgeSeconds)]
}

/** They do not repeat what the request said: nobody's words but ours stand on these pages. */
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
