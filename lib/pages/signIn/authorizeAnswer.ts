import { displayAddress } from '../../core/displayAddress.ts'
import { html } from '../../core/html.ts'
import { seeOther } from '../../http/answer/answer.ts'
import type { HttpResult } from '../../http/contract.ts'
import { sessionCookie } from '../../http/security/cookies.ts'
import { formToken } from '../../http/security/formProtection.ts'
import type { AuthorizeStep } from '../../oauth/authorize/authorize.ts'
import { isShortEnough } from '../../oauth/authorize/requestToResume.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { type PageAnswer, pageAnswer } from '../kit/pageAnswer.ts'
import { chooseAccountPage } from './chooseAccountPage.ts'
import type { SignInPlace } from './secondFactorPage.ts'
import { sessionCookies, signInForm } from './signInForm.ts'

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
    ...shownPage(look, step, { ...form, request, passkeyOrigin: visitor.passkeyOrigin }),
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
  if (step.step === 'consent') return { status: 200, page: consentPage(look, { ...step, ...place }) }
  if (step.step === 'choose_account') return { status: 200, page: chooseAccountPage(look, { ...step, ...place }) }
  return signInForm(look, step, { ...place, clientName: step.clientName })
}

function keptRequest(query: string): string | undefined {
  return isShortEnough(query) ? query : undefined
}

/** The content of the consent form. */
type ConsentForm = Omit<Extract<AuthorizeStep, { step: 'consent' }>, 'step'> & { action: string; csrf: string }

/** Asks if a client may act for the user, and explains each scope. */
export function consentPage(look: Look, form: ConsentForm): WebPage {
  const { clientName, email, scopes, firstParty, returnsTo, action, csrf } = form
  const { consent } = look.texts
  const hidden = hiddenFields({ csrf })
  const permissions = firstParty ? consent.permissions : scopes.map((scope) => consent.scopes[scope])
  return page(look, {
    title: consent.title(clientName),
    body: html`<h1>${consent.heading(clientName)}</h1>
<p class="lead">${consent.redirect(destination(look, returnsTo))}</p>
<form class="account" method="post" action="${action}">
${hidden}<p>${consent.signedInAs(displayAddress(email))}</p>
<button class="link" type="submit" name="action" value="switch">${consent.switchAccount}</button>
</form>
${permissions.length > 0 ? list(consent.itCan, permissions) : html`<p>${consent.nothing}</p>`}
<form class="actions" method="post" action="${action}">
${hidden}<button type="submit" name="action" value="allow">${consent.allow}</button>
<button class="plain" type="submit" name="action" value="deny">${consent.deny}</button>
</form>
<p class="hint">${consent.warning}</p>`,
  })
}

function list(lead: string, permissions: readonly string[]) {
  return html`<p>${lead}</p>
<ul>
${permissions.map(
  (permission) => html`<li>${permission}</li>
`,
)}</ul>`
}

/** A loopback address or a scheme means nothing to most people, and may belong to any program. */
function destination({ texts }: Look, returnsTo: string) {
  const { host, protocol } = new URL(returnsTo)
  if (protocol === 'https:') return html`<strong>${host}</strong>`
  return texts.consent.thisDevice(host || protocol.slice(0, -1))
}
