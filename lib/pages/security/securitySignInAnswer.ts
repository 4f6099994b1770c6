import { seeOther } from '../../http/answer/answer.ts'
import type { HttpResult } from '../../http/contract.ts'
import { sessionCookie } from '../../http/security/cookies.ts'
import { formToken } from '../../http/security/formProtection.ts'
import { SECURITY_PATH } from '../../mail/securityUrl.ts'
import type { SignInStep } from '../../signIn/submitSignIn.ts'
import type { Look } from '../kit/look.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import type { Visitor } from '../signIn/authorizeAnswer.ts'
import { sessionCookies, signInForm } from '../signIn/signInForm.ts'

/**
 * The sign-in to the pages of authenticators, which leads back to the page with this query.
 * @param email to prefill, of a session that is not recent enough
 */
export function securitySignInAnswer(
  look: Look,
  step: SignInStep,
  { query, secret, isNew, passkeyOrigin, email = '' }: Visitor & { email?: string | undefined },
): HttpResult {
  const action = `${SECURITY_PATH}?${query}`
  if (step.step !== 'password' && step.step !== 'second_factor') return seeOther(action, sessionCookies(step.session))
  const place = { clientName: look.branding.name, request: undefined, action, csrf: formToken(secret), passkeyOrigin }
  const cookies = isNew ? [sessionCookie(secret)] : []
  return pageAnswer(look, { ...signInForm(look, { ...step, email: step.email || email }, place), cookies })
}
