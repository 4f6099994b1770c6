import { seeOther } from '../../http/answer/answer.ts'
import type { HttpResult } from '../../http/contract.ts'
import { sessionCookie } from '../../http/security/cookies.ts'
import { formToken } from '../../http/security/formProtection.ts'
import type { AuthorizeStep } from '../../oauth/authorize/authorize.ts'
import { isShortEnough } from '../../oauth/authorize/requestToResume.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { type PageAnswer, pageAnswer } from '../kit/pageAnswer.ts'
import { addFactorPage } from './addFactorPage.ts'
import { chooseAccountPage } from './chooseAccountPage.ts'
import { consentPage, redirectLead } from './consentPage.ts'
import type { SignInPlace } from './secondFactorPage.ts'
import { sessionCookies, signInForm } from './signInForm.ts'
import { singleSignOnPage } from './singleSignOnPage.ts'

/** The browser that sent the request. */
export interface Visitor {
  /** The query of the request, without `?`. */
  query: string
  /** The secret in its cookie, or a new secret. */
  secret: string
  /** Whether the secret is new and the cookie has to be set. */
  isNew: boolean
  /** The origin on which passkeys work: `relyingPartyOf` the issuer. */
  passkeyOrigin: string
}

/** The answer of the authorization endpoint: a page with forms that only this browser can send, or a redirect. */
export function authorizeAnswer(step: AuthorizeStep, visitor: Visitor, look: Look): HttpResult {
  if (step.step === 'again') return seeOther(`?${step.query}`, sessionCookies(step.session))
  if (step.step === 'respond') return seeOther(step.location)
  if (step.step === 'untrusted') {
    const message = { ...look.texts.untrusted[step.reason], next: applicationStep(look) }
    return pageAnswer(look, { status: 400, page: messagePage(look, message) })
  }
  const form = { action: `?${visitor.query}`, csrf: formToken(visitor.secret) }
  const request = keptRequest(visitor.query)
  return pageAnswer(look, {
    ...shownPage(look, step, {
      ...form,
      request,
      returnTo: request === undefined ? undefined : { page: 'authorize', query: request },
      passkeyOrigin: visitor.passkeyOrigin,
    }),
    // Browsers apply the policy to every redirect after a form, even if the client sends it, and a policy cannot name
    // `[::1]`. So it allows schemes, those of apps included. The form itself is sent to this service.
    formTargets: [new URL(step.returnsTo).protocol],
    // Consoles open sign-in and consent in popups, too.
    keepsOpener: true,
    cookies: visitor.isNew ? [sessionCookie(visitor.secret)] : [],
  })
}

/** The page of a step that asks the user something. */
function shownPage(
  look: Look,
  step: Exclude<AuthorizeStep, { step: 'again' | 'respond' | 'untrusted' }>,
  place: Omit<SignInPlace, 'clientName'>,
): Pick<PageAnswer, 'status' | 'headers' | 'page'> {
  if (step.step === 'consent')
    return { status: 200, page: consentPage(look, { ...step, ...place, lead: redirectLead(look, step.returnsTo) }) }
  if (step.step === 'add_factor') return { status: 200, page: addFactorPage(look, { ...step, ...place }) }
  if (step.step === 'choose_account') return { status: 200, page: chooseAccountPage(look, { ...step, ...place }) }
  if (step.step === 'single_sign_on') return { status: 200, page: singleSignOnPage(look, { ...step, ...place }) }
  return signInForm(look, step, { ...place, clientName: step.clientName })
}

function keptRequest(query: string): string | undefined {
  return isShortEnough(query) ? query : undefined
}
