import type { SecurityStep } from '../../authenticators/security/securityStep.ts'
import { ServiceError } from '../../core/errors.ts'
import { html } from '../../core/html.ts'
import { seeOther } from '../../http/answer/answer.ts'
import type { HttpResult } from '../../http/contract.ts'
import type { SessionChange } from '../../oauth/session/session.ts'
import { errorPage, type Failure, retryPage } from '../kit/errorPage.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import { sessionCookies } from '../signIn/signInForm.ts'
import {
  newPasskeyPage,
  newRecoveryCodesPage,
  newTotpPage,
  passkeyPage,
  recoveryCodesPage,
  totpPage,
} from './securityChangePages.ts'
import { buttonForm, formatDay, type SecurityPlace, securityPath } from './securityForm.ts'
import { securityOverviewPage } from './securityOverviewPage.ts'

/** The answer of the pages of authenticators to a user who is signed in for it: a page, or a redirect after a change. */
export function securityAnswer(
  look: Look,
  step: Exclude<SecurityStep, { step: 'sign_in' }>,
  place: SecurityPlace & { readonly session?: SessionChange | undefined },
): HttpResult {
  if (step.step === 'done') return seeOther(securityPath(place, { done: step.done }), sessionCookies(place.session))
  if (step.step === 'no_reset') {
    const { gone } = look.texts.security.reset
    return pageAnswer(look, { status: 400, page: messagePage(look, { ...gone, next: applicationStep(look) }) })
  }
  const mayHaveProblem = step.step === 'overview' || step.step === 'passkey' || step.step === 'new_totp'
  const hasProblem = mayHaveProblem && step.problem !== undefined
  return pageAnswer(look, { status: hasProblem ? 422 : 200, page: pageOf(look, step, place) })
}

function pageOf(
  look: Look,
  step: Exclude<SecurityStep, { step: 'sign_in' | 'done' | 'no_reset' }>,
  place: SecurityPlace,
): WebPage {
  switch (step.step) {
    case 'overview':
      return securityOverviewPage(look, step, place)
    case 'passkey':
      return passkeyPage(look, step, place)
    case 'new_passkey':
      return newPasskeyPage(look, step, place)
    case 'totp':
      return totpPage(look, place)
    case 'new_totp':
      return newTotpPage(look, step, place)
    case 'codes':
      return recoveryCodesPage(look, step, place)
    case 'new_codes':
      return newRecoveryCodesPage(look, step.codes, place)
    case 'reset':
      return factorResetPage(look, step, place)
    default:
      return step satisfies never
  }
}

/** The pages for failures of the forms of authenticators: too many changes are not too many requests. */
export function securityFailure(failure: Failure, look: Look): HttpResult {
  const { answer, event, error } = failure
  const isTooMany = error instanceof ServiceError && error.code === 'too_many_attempts'
  return isTooMany ? retryPage(look, { ...answer, event, name: 'tooManyAttempts' }) : errorPage(failure, look)
}

/** Shows an owner who asks for the removal of lost second factors, and lets them approve it. */
function factorResetPage(look: Look, step: Extract<SecurityStep, { step: 'reset' }>, place: SecurityPlace): WebPage {
  const { reset: words, cancel } = look.texts.security
  const { organization, member, requestedAt, state, userId } = step
  const fields = { organization_id: organization.id, user_id: userId }
  return page(look, {
    title: words.title,
    body: html`<h1>${words.title}</h1>
<p>${words.asks(member.username, member.email, organization.name)} ${words.requested(formatDay(requestedAt, look.language))}</p>
${
  state === 'awaiting_approval'
    ? html`<p class="notice bad">${words.warning}</p>
${buttonForm(place, { action: 'approve_reset', label: words.approve, fields })}`
    : html`<p class="notice good">${words.approved}</p>`
}
<p class="after"><a href="${securityPath(place)}">${cancel}</a></p>`,
  })
}
