import { requiredSecondFactor } from '../authenticators/listAuthenticators.ts'
import type { Authenticators } from '../authenticators/ports.ts'
import type { ActivityRecorder } from '../core/activity.ts'
import { type Arrival, type Authentication, byPassword, signOnOf } from '../core/authentication.ts'
import type { Language } from '../core/language.ts'
import type { SecretDigest } from '../oauth/secretDigest.ts'
import { SESSION_SECONDS, type SessionChange, startSession } from '../oauth/session/session.ts'
import type { KnownBrowserCookie, SignedIn } from '../users/ports.ts'
import { type MailNewSignInDeps, mailNewSignIn } from './mailNewSignIn.ts'
import { beginPendingSignIn, endPendingSignIn, PENDING_SECONDS, type PendingDeps } from './pendingSignIn.ts'
import type { NameBrowser } from './ports.ts'

/** What it takes to start a session, or the pending sign-in before it. */
export type StartSignInDeps = PendingDeps &
  MailNewSignInDeps & {
    readonly authenticators: Authenticators
    readonly activity: ActivityRecorder
    readonly nameBrowser: NameBrowser
  }

/** The browser that sent a form, and what it signs in for. */
export interface SigningBrowser {
  /** In the session cookie; the caller has checked that this browser was given the form. */
  readonly secret: string
  /** The digest of the authorization request that the sign-in answers; undefined if it is for a page of this service. */
  readonly signedInFor: SecretDigest | undefined
}

/** What a browser that signs in says of itself. */
export interface SignInSource {
  readonly userAgent: string | undefined
  readonly language: Language
  /** The cookie by which accounts know it. */
  readonly cookie: string | undefined
}

/** A sign-in that sets a cookie; the browser is then redirected, and asked or served by that cookie. */
export interface StartedSignIn {
  readonly step: 'pending' | 'signed_in'
  readonly session: Exclude<SessionChange, 'ended'>
}

/** A user who has shown or set the password. */
interface ProvenPassword {
  readonly user: Pick<SignedIn, 'id' | 'email' | 'securityRev'>
  /** As the account said after the password was proven; undefined if it was not read since. */
  readonly hasSecondFactor?: boolean
  /** When the form came, in Unix milliseconds. */
  readonly at: number
  readonly from: SignInSource
  /** The cookie of the browser if it signs in now. */
  readonly knownBrowser: KnownBrowserCookie
}

/**
 * Starts the session of a user whose password is proven, by the sign-in form or by a mailed link that set it. If the account has a second
 * factor, starts a pending sign-in, which asks for that.
 * @throws CommonError `service_unavailable`
 */
export function continueAfterPassword(
  deps: StartSignInDeps,
  browser: SigningBrowser,
  { at, ...proven }: ProvenPassword,
): Promise<StartedSignIn> {
  return continueAfterFirst(deps, browser, { ...proven, authentication: { at, methods: byPassword } }, undefined)
}

/** A user who comes from a provider. */
export type ProvenByProvider = Omit<ProvenPassword, 'at'> & {
  readonly authentication: Authentication
  /** Undefined unless it is the provider of a company. */
  readonly arrival?: Arrival | undefined
}

/**
 * The same for a user who comes from a provider. `hasSecondFactor` is false if the provider's second factor counts.
 * @throws SignedOutError; CommonError `service_unavailable`
 */
export function continueAfterProvider(
  deps: StartSignInDeps,
  browser: SigningBrowser,
  proven: ProvenByProvider,
): Promise<StartedSignIn> {
  return continueAfterFirst(deps, browser, proven, proven.authentication.at)
}

async function continueAfterFirst(
  deps: StartSignInDeps,
  { secret, signedInFor }: SigningBrowser,
  { user, hasSecondFactor, authentication, arrival, from, knownBrowser }: ProvenByProvider,
  atProvider: number | undefined,
): Promise<StartedSignIn> {
  const { id: userId, securityRev } = user
  // Most accounts have none, and their sign-in reads no list.
  if (hasSecondFactor !== false && (await requiredSecondFactor(deps, userId)).length > 0) {
    const pending = { userId, securityRev, atProvider, arrival, ...signOnOf(authentication) }
    const started = await beginPendingSignIn(deps, pending, secret)
    return { step: 'pending', session: { started, maxAgeSeconds: PENDING_SECONDS } }
  }
  const replaces = await endPendingSignIn(deps, secret)
  return startSignedIn(deps, user, { authentication, arrival, signedInFor, from, replaces, knownBrowser })
}

/**
 * Starts the session of a user who has proven all that the account asks for, notes it in the activity, and mails it if the browser is new.
 * @throws SignedOutError; CommonError `service_unavailable`
 */
export async function startSignedIn(
  deps: StartSignInDeps,
  { id: userId, securityRev, email }: ProvenPassword['user'],
  signIn: Pick<ProvenByProvider, 'arrival'> & {
    readonly authentication: Authentication
    readonly signedInFor: SecretDigest | undefined
    readonly from: SignInSource
    readonly replaces: SecretDigest | undefined
    readonly knownBrowser: KnownBrowserCookie
  },
): Promise<StartedSignIn> {
  const { from, knownBrowser, ...begun } = signIn
  const { userAgent, ...origin } = from
  const browser = await deps.nameBrowser(userAgent)
  const started = await startSession(deps, { userId, securityRev, browser, ...begun })
  await Promise.all([
    deps.activity.record(userId, 'sign_in'),
    mailNewSignIn(deps, { userId, email, browser, ...origin }),
  ])
  return { step: 'signed_in', session: { started, maxAgeSeconds: SESSION_SECONDS, knownBrowser } }
}
