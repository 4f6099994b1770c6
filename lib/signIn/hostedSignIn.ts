import type { SecondFactor } from '../authenticators/ports.ts'
import { type Authentication, byPassword } from '../core/authentication.ts'
import type { Language } from '../core/language.ts'
import type {
  Credentials,
  FactorProblem,
  FactorProof,
  LoginProblem,
  NameBrowser,
  RememberBrowser,
  SecondFactors,
  SignIn,
} from '../oauth/ports.ts'
import type { SecretDigest } from '../oauth/secretDigest.ts'
import { SESSION_SECONDS, startSession } from '../oauth/session/session.ts'
import type { SessionChange } from '../oauth/session/sessionChange.ts'
import type { KnownBrowserCookie, SignedIn } from '../users/ports.ts'
import {
  beginPendingSignIn,
  endPendingSignIn,
  PENDING_SECONDS,
  type PendingDeps,
  readPendingSignIn,
} from './pendingSignIn.ts'

/** What asking for a sign-in reads. */
export interface AskSignInDeps extends PendingDeps {
  readonly secondFactors: Pick<SecondFactors, 'required'>
}

/** What the forms of a sign-in read, write or call. */
export interface HostedSignInDeps extends AskSignInDeps {
  readonly signIn: SignIn
  readonly secondFactors: SecondFactors
  readonly rememberBrowser: RememberBrowser
  readonly nameBrowser: NameBrowser
}

/** What a browser says of itself with every form. */
interface SignInOrigin extends Pick<Credentials, 'knownBrowser'> {
  readonly userAgent: string | undefined
  /** Of the page, and of mails about the sign-in. */
  readonly language: Language
}

/** A form of a sign-in: the password, the second factor after it, or a passkey in place of both. */
export type SignInForm =
  | ({ action: 'login' } & Credentials & SignInOrigin)
  | ({ action: 'second_factor' } & FactorProof & SignInOrigin)
  | ({ action: 'passkey'; proof: string } & SignInOrigin)

/** The browser that sent a form, and what it signs in for. */
interface SigningBrowser {
  /** In the session cookie; the caller has checked that this browser was given the form. */
  readonly secret: string
  /** The digest of the authorization request that the sign-in answers; undefined where it is for a page of this service. */
  readonly signedInFor: SecretDigest | undefined
}

/** Why the first form is shown again. `sign_in_expired`: the second factor came too late, or the password has changed since. */
export type SignInProblem = LoginProblem | { readonly code: 'passkey_refused' } | { readonly code: 'sign_in_expired' }

/** Why the second form is shown again. */
export type SecondFactorProblem = FactorProblem & { readonly factor: SecondFactor }

/** The form that a browser is shown next. */
export type SignInQuestion =
  | { readonly step: 'password'; readonly email: string; readonly problem?: SignInProblem }
  | {
      readonly step: 'second_factor'
      readonly email: string
      /** Any of these. */
      readonly factors: readonly SecondFactor[]
      readonly problem?: SecondFactorProblem
    }

/** What a form leads to. `pending` and `signed_in` set a cookie; the browser is then redirected, and asked or served by that cookie. */
export type SignInStep =
  | SignInQuestion
  | { readonly step: 'pending' | 'signed_in'; readonly session: Exclude<SessionChange, 'ended'> }

/**
 * The form for a browser without a session: the second factor after a right password, else the password. Independent of what the user signs
 * in to. Writes nothing.
 * @param secret in the session cookie
 * @throws CommonError `service_unavailable`
 */
export async function askSignIn(deps: AskSignInDeps, secret: string | undefined): Promise<SignInQuestion> {
  const pending = await readPendingSignIn(deps, secret)
  const factors = pending === undefined ? [] : await deps.secondFactors.required(pending.user.id)
  if (pending === undefined || factors.length === 0) return { step: 'password', email: '' }
  return { step: 'second_factor', email: pending.user.email, factors }
}

/**
 * Takes a form of a sign-in. A right password starts a session only where the account has no second factor; otherwise the second factor does,
 * within 10 minutes. Each step has a new secret. The browser is known for the account (`knownBrowser`) only once it is signed in.
 * @throws CommonError `service_unavailable`: a code may be used up, and the next one works
 */
export function submitSignIn(deps: HostedSignInDeps, browser: SigningBrowser, form: SignInForm): Promise<SignInStep> {
  if (form.action === 'login') return submitPassword(deps, browser, form)
  if (form.action === 'passkey') return submitPasskey(deps, browser, form)
  return submitSecondFactor(deps, browser, form)
}

async function submitPassword(
  deps: HostedSignInDeps,
  { secret, signedInFor }: SigningBrowser,
  { userAgent, language: _, ...credentials }: Credentials & SignInOrigin,
): Promise<SignInStep> {
  const at = deps.clock.now()
  const signedIn = await deps.signIn(credentials)
  if ('code' in signedIn) return { step: 'password', email: credentials.email, problem: signedIn }
  const { id: userId, securityRev, hasSecondFactor, knownBrowser } = signedIn
  // Most accounts have none, and their sign-in reads no list.
  if (hasSecondFactor && (await deps.secondFactors.required(userId)).length > 0) {
    const started = await beginPendingSignIn(deps, { userId, securityRev }, secret)
    return { step: 'pending', session: { started, maxAgeSeconds: PENDING_SECONDS } }
  }
  const replaces = await endPendingSignIn(deps, secret)
  const authentication = { at, methods: byPassword }
  return start(deps, signedIn, { authentication, signedInFor, userAgent, replaces, knownBrowser })
}

async function submitSecondFactor(
  deps: HostedSignInDeps,
  { secret, signedInFor }: SigningBrowser,
  { factor, proof, knownBrowser: cookie, userAgent, language }: FactorProof & SignInOrigin,
): Promise<SignInStep> {
  const expired = { step: 'password', email: '', problem: { code: 'sign_in_expired' } } as const
  const at = deps.clock.now()
  const pending = await readPendingSignIn(deps, secret)
  const factors = pending === undefined ? [] : await deps.secondFactors.required(pending.user.id)
  if (pending === undefined || factors.length === 0) return expired
  const { user, securityRev } = pending
  const proven = await deps.secondFactors.verify(user.id, { factor, proof }, language)
  if ('code' in proven) {
    return { step: 'second_factor', email: user.email, factors, problem: { ...proven, factor } }
  }
  // The end of the pending sign-in is the check: with two proofs at once it becomes one session.
  const ended = await deps.pendingSignIns.end(pending.digest)
  if (ended === undefined) return expired
  const knownBrowser = await deps.rememberBrowser(cookie, user.email)
  const authentication = { at, methods: proven }
  const { replaces } = ended
  const signedIn = { id: user.id, securityRev }
  return start(deps, signedIn, { authentication, signedInFor, userAgent, replaces, knownBrowser })
}

async function submitPasskey(
  deps: HostedSignInDeps,
  { secret, signedInFor }: SigningBrowser,
  { proof, knownBrowser: cookie, userAgent }: { proof: string } & SignInOrigin,
): Promise<SignInStep> {
  const at = deps.clock.now()
  const proven = await deps.secondFactors.verifyPasskey(proof)
  if ('code' in proven) return { step: 'password', email: '', problem: proven }
  const { user, methods } = proven
  const knownBrowser = await deps.rememberBrowser(cookie, user.email)
  const replaces = await endPendingSignIn(deps, secret)
  return start(deps, user, { authentication: { at, methods }, signedInFor, userAgent, replaces, knownBrowser })
}

async function start(
  deps: HostedSignInDeps,
  { id: userId, securityRev }: Pick<SignedIn, 'id' | 'securityRev'>,
  signIn: {
    authentication: Authentication
    signedInFor: SecretDigest | undefined
    userAgent: string | undefined
    replaces: SecretDigest | undefined
    knownBrowser: KnownBrowserCookie
  },
): Promise<SignInStep> {
  const { userAgent, knownBrowser, ...begun } = signIn
  const browser = await deps.nameBrowser(userAgent)
  const started = await startSession(deps, { userId, securityRev, browser, ...begun })
  return { step: 'signed_in', session: { started, maxAgeSeconds: SESSION_SECONDS, knownBrowser } }
}
