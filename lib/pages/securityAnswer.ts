import type { SecurityStep } from '../authenticators/security/securityStep.ts'
import { seeOther } from '../http/answer/answer.ts'
import type { HttpResult } from '../http/contract.ts'
import type { SessionChange } from '../oauth/session/sessionChange.ts'
import { factorResetPage } from './factorResetPage.ts'
import type { Look } from './kit/look.ts'
import { messagePage } from './kit/messagePage.ts'
import { applicationStep } from './kit/nextStep.ts'
import type { Page } from './kit/page.ts'
import { pageAnswer } from './kit/pageAnswer.ts'
import { newRecoveryCodesPage, recoveryCodesPage } from './recoveryCodePages.ts'
import { newPasskeyPage, newTotpPage, passkeyPage, totpPage } from './security/securityChangePages.ts'
import { type SecurityPlace, securityPath } from './security/securityForm.ts'
import { securityOverviewPage } from './security/securityOverviewPage.ts'
import { sessionCookies } from './signIn/signInForm.ts'

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
  const hasProblem = 'problem' in step && step.problem !== undefined
  return pageAnswer(look, { status: hasProblem ? 422 : 200, page: pageOf(look, step, place) })
}

function pageOf(
  look: Look,
  step: Exclude<SecurityStep, { step: 'sign_in' | 'done' | 'no_reset' }>,
  place: SecurityPlace,
): Page {
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
