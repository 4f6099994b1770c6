import type { AuthenticatorDeps } from '../../authenticators/deps.ts'
import { isRecent } from '../../authenticators/security/securityVisitor.ts'
import type { ActivityRecorder } from '../../core/activity.ts'
import type { Branding } from '../../core/branding.ts'
import type { Language } from '../../core/language.ts'
import type { Logger } from '../../log/logger.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { notify } from '../../mail/notify.ts'
import { digestSecret } from '../../oauth/secretDigest.ts'
import {
  type LiveSession,
  type SessionChange,
  type SessionDeps,
  signOnSession,
  unlessSignedOut,
} from '../../oauth/session/session.ts'
import { providerConnected } from '../../users/mails.ts'
import type { Accounts } from '../../users/ports.ts'
import type { FailedProviderSignIn } from './beginProviderSignIn.ts'
import type { Identities, ProvenIdentity, ProviderSignIns, ReturnPage } from './ports.ts'
import { type FindProviderDeps, findProvider, speaksFor } from './registeredProvider.ts'

export interface ShowConnectionDeps extends FindProviderDeps, Pick<AuthenticatorDeps, 'authenticators' | 'clock'> {
  readonly providerSignIns: Pick<ProviderSignIns, 'find'>
}

export interface ConnectProviderDeps extends ShowConnectionDeps, Pick<SessionDeps, 'sessions' | 'ids'> {
  readonly accounts: Pick<Accounts, 'find'>
  readonly identities: Pick<Identities, 'link'>
  readonly providerSignIns: Pick<ProviderSignIns, 'find' | 'end'>
  readonly activity: ActivityRecorder
  readonly logger: Logger
  readonly mailer: Mailer
  readonly branding: Branding
  /** Base URL of the links in mails. */
  readonly accountUrl: string
}

/** The identity that waits for an account. */
interface Waiting {
  readonly provider: string
  readonly identity: ProvenIdentity
  readonly returnTo: ReturnPage
}

/** @property session the cookie's change if the session became another */
export interface Connected {
  readonly step: 'connected'
  readonly returnTo: ReturnPage
  readonly session?: SessionChange
}

export type ConnectionStep =
  /** The account's password or passkey first, with its second factor. */
  | ({ readonly step: 'sign_in' } & Waiting)
  | ({ readonly step: 'confirm'; readonly email: string } & Waiting)
  | FailedProviderSignIn

/**
 * Asks a user who has just proven an account if an identity may sign in to it. The address at the provider decides nothing; that of the account
 * must be one that the provider may speak for.
 * @param secret in the cookie of the sign-in at the provider
 * @throws CommonError `service_unavailable`
 */
export async function showConnection(
  deps: ShowConnectionDeps,
  session: LiveSession | undefined,
  secret: string | undefined,
): Promise<ConnectionStep> {
  const signIn = secret === undefined ? undefined : await deps.providerSignIns.find(digestSecret(secret))
  const provider = signIn && (await findProvider(deps, signIn.providerId))
  if (signIn?.proven === undefined || provider === undefined || deps.clock.now() >= signIn.validUntil)
    return { step: 'failed', problem: 'expired' }
  const waiting = { provider: provider.name, identity: signIn.proven, returnTo: signIn.returnTo }
  if (session === undefined) return { step: 'sign_in', ...waiting }
  if (!speaksFor(provider, session.user)) {
    const { returnTo } = signIn
    return { step: 'failed', problem: 'foreign_address', provider: provider.name, returnTo }
  }
  const own = await deps.authenticators.list(session.user.id)
  if (!isRecent(session, own, deps.clock.now())) return { step: 'sign_in', ...waiting }
  return { step: 'confirm', email: session.user.email, ...waiting }
}

/**
 * Connects the identity with the account of the session, once, notes it in the activity, and mails its user. If it is of a company's single sign-on, the session counts as
 * come by that: both were proven in this browser.
 * @param sent `secret`: of the sign-in at the provider. `sessionSecret`: of the session
 * @throws CommonError `service_unavailable`
 */
export async function connectProvider(
  deps: ConnectProviderDeps,
  session: LiveSession | undefined,
  sent: { readonly secret: string | undefined; readonly sessionSecret: string; readonly language: Language },
): Promise<ConnectionStep | Connected> {
  const { secret, sessionSecret, language } = sent
  const shown = await showConnection(deps, session, secret)
  if (shown.step !== 'confirm' || session === undefined || secret === undefined) return shown
  const { identity, provider, returnTo } = shown
  const account = await deps.accounts.find(session.user.id)
  const isSame = account?.securityRev === session.securityRev
  const outcome = account && isSame ? await deps.identities.link(account, identity, deps.clock.now()) : 'conflict'
  if (outcome === 'conflict') return { step: 'sign_in', identity, provider, returnTo }
  await deps.providerSignIns.end(digestSecret(secret))
  if (outcome === 'taken') return { step: 'failed', problem: 'already_connected', provider, returnTo }
  deps.logger.info('Sign-in provider connected', { provider: identity.providerId, userId: session.user.id })
  await deps.activity.record(session.user.id, 'provider_connected')
  const { branding, accountUrl } = deps
  await notify(deps, providerConnected({ branding, language }, { to: session.user.email, accountUrl }))
  const { organizationId: sso, ssoSession, arrival } = identity
  if (sso === undefined) return { step: 'connected', returnTo }
  const signedOn = signOnSession(deps, session, { signOn: { sso, ssoSession }, arrival, replaces: sessionSecret })
  // Signed out at the provider since: the proof of the identity stays, and the session is what it was.
  const change = await unlessSignedOut(signedOn, () => undefined)
  return { step: 'connected', returnTo, ...(change && { session: change }) }
}
