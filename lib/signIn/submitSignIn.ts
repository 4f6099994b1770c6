import { AuthenticatorError } from '../authenticators/errors.ts'
import { verifyPasskeySignIn } from '../authenticators/factors/signInWithPasskey.ts'
import { forgiveFailedCodes } from '../authenticators/factors/verifyTotp.ts'
import { secondFactorsOf } from '../authenticators/listAuthenticators.ts'
import { methodsOf } from '../authenticators/methodsOf.ts'
import { parsedResponse } from '../authenticators/parsedResponse.ts'
import type { CodeBrowser } from '../authenticators/ports.ts'
import { signOnOf } from '../core/authentication.ts'
import type { Language } from '../core/language.ts'
import type { Logger } from '../log/logger.ts'
import { unlessSignedOut } from '../oauth/session/session.ts'
import { emailKey } from '../users/emailKey.ts'
import { TooManyAttemptsError } from '../users/errors.ts'
import { recognizeBrowser, rememberBrowser } from '../users/password/knownBrowser.ts'
import { type AskPasswordDeps, askPassword, type FactorProblem, type SignInQuestion } from './askSignIn.ts'
import { type CheckPasswordDeps, checkPassword } from './checkPassword.ts'
import {
  continueAfterPassword,
  type SigningBrowser,
  type StartedSignIn,
  type StartSignInDeps,
  startSignedIn,
} from './continueAfterPassword.ts'
import { type MailFailedStepDeps, mailFailedStep } from './mailFailedStep.ts'
import { endPendingSignIn, readPendingSignIn } from './pendingSignIn.ts'
import type { Credentials } from './ports.ts'
import { type FactorProof, type VerifySecondFactorDeps, verifySecondFactor } from './verifySecondFactor.ts'

/** What the forms of a sign-in read, write or call. */
export type SubmitSignInDeps = StartSignInDeps &
  CheckPasswordDeps &
  VerifySecondFactorDeps &
  MailFailedStepDeps &
  AskPasswordDeps

/** What a browser says of itself with every form. */
interface SignInOrigin extends Pick<Credentials, 'knownBrowser'> {
  readonly userAgent: string | undefined
  /** Of the page, and of mails about the sign-in. */
  readonly language: Language
}

/** A form of a sign-in: the address, the password, the second factor after it, or a passkey in place of both. */
export type SignInForm =
  | ({ action: 'address'; email: string } & SignInOrigin)
  | ({ action: 'login' } & Credentials & SignInOrigin)
  | ({ action: 'second_factor' } & FactorProof & SignInOrigin)
  | ({ action: 'passkey'; proof: string } & SignInOrigin)

/** The result of a form. */
export type SignInStep = SignInQuestion | StartedSignIn

/**
 * Handles a form of a sign-in. The right password starts a session only if the account has no second factor; otherwise the second factor does,
 * within 10 minutes. Each step has a new secret. The browser is known for the account (`knownBrowser`) only after the sign-in.
 * @throws CommonError `service_unavailable`: a code may be used up, and the next code works
 */
export function submitSignIn(deps: SubmitSignInDeps, browser: SigningBrowser, form: SignInForm): Promise<SignInStep> {
  if (form.action === 'address') return askPassword(deps, { email: form.email.trim() })
  if (form.action === 'login') return submitPassword(deps, browser, form)
  if (form.action === 'passkey') return submitPasskey(deps, browser, form)
  return submitSecondFactor(deps, browser, form)
}

async function submitPassword(
  deps: SubmitSignInDeps,
  browser: SigningBrowser,
  { userAgent, language, ...credentials }: Credentials & SignInOrigin,
): Promise<SignInStep> {
  const at = deps.clock.now()
  const checked = await checkPassword(deps, credentials)
  if (checked.kind === 'refused') return askPassword(deps, { email: credentials.email, problem: checked.problem })
  const { id, securityRev, hasSecondFactor, knownBrowser } = checked
  const user = { id, securityRev, email: credentials.email }
  const from = { userAgent, language, cookie: credentials.knownBrowser }
  return continueAfterPassword(deps, browser, { user, hasSecondFactor, at, from, knownBrowser })
}

async function submitSecondFactor(
  deps: SubmitSignInDeps,
  { secret, signedInFor }: SigningBrowser,
  { factor, proof, knownBrowser: cookie, userAgent, language }: FactorProof & SignInOrigin,
): Promise<SignInStep> {
  const expired = () => askPassword(deps, { email: '', problem: { code: 'sign_in_expired' } })
  const at = deps.clock.now()
  const pending = await readPendingSignIn(deps, secret)
  const own = pending && (await deps.authenticators.list(pending.user.id))
  const factors = own === undefined ? [] : secondFactorsOf(own)
  if (pending === undefined || own === undefined || factors.length === 0) return expired()
  const { securityRev } = pending
  const user = { ...pending.user, securityRev }
  const id = await recognizeBrowser(deps, cookie, emailKey(user.email))
  const browser: CodeBrowser = id === undefined ? { kind: 'pending', id: pending.browser } : { kind: 'known', id }
  const proven = await orRefused(deps, verifySecondFactor(deps, { user, own, factor, proof, browser, language }))
  if (proven.kind === 'refused') {
    await deps.activity.record(user.id, 'second_step_failed')
    const isSuspicious = browser.kind === 'pending' && factor !== 'passkey'
    if (isSuspicious) await mailFailedStep(deps, { user, language })
    return { step: 'second_factor', email: user.email, factors, problem: { ...proven.problem, factor } }
  }
  // The end of the pending sign-in is the check: with two proofs at once it becomes one session.
  const ended = await deps.pendingSignIns.end(pending.digest)
  if (ended === undefined) return expired()
  const knownBrowser = await rememberBrowser(deps, cookie, emailKey(user.email))
  const { proof: factorProof, newUntil: newFactorUntil } = proven.by
  const { replaces, atProvider, arrival } = ended
  const first = atProvider === undefined ? passwordProof : providerProof
  const methods = methodsOf([first, factorProof])
  // A sign-in is as old as the older of its proofs.
  const authentication = {
    at: Math.min(at, atProvider ?? at),
    methods,
    ...(newFactorUntil !== undefined && { newFactorUntil }),
    ...signOnOf(ended),
  }
  const from = { userAgent, language, cookie }
  const signIn = { authentication, arrival, signedInFor, from, replaces, knownBrowser }
  return unlessSignedOut(startSignedIn(deps, user, signIn), expired)
}

const passwordProof = { kind: 'password' } as const
const providerProof = { kind: 'provider', hasTwoFactors: false } as const

async function submitPasskey(
  deps: SubmitSignInDeps,
  { secret, signedInFor }: SigningBrowser,
  { proof: response, knownBrowser: cookie, userAgent, language }: { proof: string } & SignInOrigin,
): Promise<SignInStep> {
  const at = deps.clock.now()
  const verified = verifyPasskeySignIn(deps, { purpose: 'only_factor' }, parsedResponse(response))
  const proven = await orRefused(deps, verified)
  if (proven.kind === 'refused') {
    const isTooNew = proven.problem.code === 'passkey_too_new'
    return askPassword(deps, { email: '', problem: { code: isTooNew ? 'passkey_too_new' : 'passkey_refused' } })
  }
  const { user, proof } = proven.by
  await forgiveFailedCodes(deps, user.id)
  const knownBrowser = await rememberBrowser(deps, cookie, emailKey(user.email))
  const replaces = await endPendingSignIn(deps, secret)
  const authentication = { at, methods: methodsOf([proof]) }
  const from = { userAgent, language, cookie }
  return startSignedIn(deps, user, { authentication, signedInFor, from, replaces, knownBrowser })
}

/** Returns a refusal instead of throwing it: the page shows it in the form. */
async function orRefused<Proven>(
  { logger }: { readonly logger: Logger },
  verified: Promise<Proven>,
): Promise<{ kind: 'proven'; by: Proven } | { kind: 'refused'; problem: FactorProblem }> {
  try {
    return { kind: 'proven', by: await verified }
  } catch (error) {
    if (error instanceof TooManyAttemptsError) {
      logger.info('Second factor refused', { code: error.code })
      return { kind: 'refused', problem: { code: error.code, retryAfterSeconds: error.retryAfterSeconds } }
    }
    if (error instanceof AuthenticatorError && isRefusal(error.code)) {
      logger.info('Second factor refused', { code: error.code })
      return { kind: 'refused', problem: { code: error.code } }
    }
    throw error
  }
}

const refusals = ['code_refused', 'passkey_refused', 'passkey_too_new', 'factor_suspended'] as const

function isRefusal(code: string): code is (typeof refusals)[number] {
  return refusals.some((refusal) => refusal === code)
}
