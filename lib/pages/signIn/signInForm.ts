import { endedSessionCookie, knownBrowserCookie, sessionCookie } from '../../http/security/cookies.ts'
import type { SessionChange } from '../../oauth/session/session.ts'
import type { SecondFactorProblem, SignInProblem, SignInQuestion } from '../../signIn/askSignIn.ts'
import type { Look } from '../kit/look.ts'
import type { PageAnswer } from '../kit/pageAnswer.ts'
import { loginPage } from './loginPage.ts'
import { secondFactorPage } from './secondFactorPage.ts'

/** The context of a sign-in form. */
interface SignInPlace {
  /** The name of the client that the user signs in to. */
  readonly clientName: string
  /** The query of the authorization request, to which the account forms lead back; undefined if there is none. */
  readonly request: string | undefined
  /** The form's target, including its query. */
  readonly action: string
  /** Made by `formToken`. */
  readonly csrf: string
  /** The origin on which passkeys work: `relyingPartyOf` the issuer. */
  readonly passkeyOrigin: string
}

/** The page of a sign-in's first form or its second, for `pageAnswer`. */
export function signInForm(
  look: Look,
  question: SignInQuestion,
  place: SignInPlace,
): Pick<PageAnswer, 'status' | 'headers' | 'page'> {
  const page =
    question.step === 'password'
      ? loginPage(look, { ...place, ...question })
      : secondFactorPage(look, { ...place, ...question })
  return { ...statusOf(question.problem), page }
}

/** Not 401, which requires a challenge (RFC 9110 §15.5.2), nor 422, whose body is a list of problems in this API. */
export function statusOf(
  problem: SignInProblem | SecondFactorProblem | undefined,
): Pick<PageAnswer, 'status' | 'headers'> {
  if (problem === undefined) return { status: 200 }
  if (problem.code !== 'too_many_attempts') return { status: 400 }
  return { status: 429, headers: { 'retry-after': `${problem.retryAfterSeconds}` } }
}

/** Values of `Set-Cookie` for a change of the browser's session. */
export function sessionCookies(session: SessionChange | undefined): string[] {
  if (session === undefined) return []
  if (session === 'ended') return [endedSessionCookie]
  const { started, maxAgeSeconds, knownBrowser } = session
  return [sessionCookie(started, maxAgeSeconds), ...(knownBrowser ? [knownBrowserCookie(knownBrowser)] : [])]
}
