import type { SignOn } from '../../core/authentication.ts'
import type { Clock } from '../../core/clock.ts'
import { CommonError } from '../../core/errors.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import { OAuthError } from '../../oauth/errors.ts'
import type { UserSessions } from '../../oauth/ports.ts'
import { liveSessions } from '../../oauth/session/listUserSessions.ts'
import { type EndUserSessionDeps, endListedSession } from '../../oauth/session/userSessions.ts'
import type { Accounts } from '../../users/ports.ts'
import type { OpenIdClient } from '../ports.ts'
import type { CompanyProvider, CompanyProviders, Identities, UsedLogoutTokens } from './ports.ts'
import { logoutsBy, signOnBy } from './signOnBy.ts'

/** A logout token is remembered longer than it counts. */
const REMEMBERED_MILLISECONDS = 60 * 60 * 1000

export interface BackchannelLogoutDeps extends EndUserSessionDeps {
  readonly companies: Pick<CompanyProviders, 'find'>
  readonly openId: Pick<OpenIdClient, 'readLogout'>
  readonly userSessions: EndUserSessionDeps['userSessions'] & Pick<UserSessions, 'usersBy' | 'noteLogouts'>
  readonly identities: Pick<Identities, 'find'>
  readonly accounts: Pick<Accounts, 'find'>
  readonly logoutTokens: UsedLogoutTokens
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Ends what a person got by the single sign-on of a company, because its provider says that the person was signed out there (OpenID Connect
 * Back-Channel Logout 1.0 §2.7): sessions in browsers, and the grants of clients; if the token names a session at the provider, only what began
 * in that. A browser that signed on twice has one session, which ends with either. A sign-in that still waits for a second factor or a
 * confirmation ends as well. Other sign-ins of the person stay. A token counts once, and is safe to send again after a failure.
 * @throws OAuthError `invalid_request` if the token is not to be trusted or was used; CommonError `service_unavailable`, also if the provider's
 *   keys cannot be read
 */
export async function backchannelLogout(
  deps: BackchannelLogoutDeps,
  { organizationId, token }: { readonly organizationId: OrganizationId; readonly token: string },
): Promise<void> {
  const provider = await deps.companies.find(organizationId)
  if (provider === undefined) throw refused('no single sign-on')
  const read = await deps.openId.readLogout(provider, token)
  if (read.kind === 'refused') {
    if (read.fault === 'unreachable') throw new CommonError('service_unavailable', { message: read.reason })
    throw refused(read.reason)
  }
  const { tokenId, subject } = read.logout
  const meant = { subject, ...signOnBy(provider, read.logout) }
  if (await deps.logoutTokens.isUsed({ organizationId, tokenId })) throw refused('logout token used again')
  // First what is on its way, so that no session of it starts behind the list.
  await deps.userSessions.noteLogouts(logoutsBy(provider, meant), deps.clock.now())
  const userIds = await usersOf(deps, provider, meant)
  for (const userId of userIds) await endSignOn(deps, userId, meant)
  await deps.logoutTokens.use({ organizationId, tokenId }, deps.clock.now() + REMEMBERED_MILLISECONDS)
  deps.logger.info('Signed out by the provider of a company', { organizationId, users: userIds.length })
}

/** Who is signed out, and from which session at the provider; from all of them if the token names none. */
interface Meant extends SignOn {
  readonly subject: string | undefined
}

async function usersOf(
  { identities, userSessions }: Pick<BackchannelLogoutDeps, 'identities' | 'userSessions'>,
  { issuer, owner: organizationId }: CompanyProvider,
  { subject, ssoSession }: Meant,
): Promise<UserId[]> {
  if (subject === undefined) return ssoSession === undefined ? [] : userSessions.usersBy(ssoSession)
  const linked = await identities.find({ issuer, subject, organizationId })
  return linked === undefined ? [] : [linked.userId]
}

/** A browser's session or a grant in the list of a user. */
interface Listed extends Pick<SignOn, 'sso'> {
  readonly ssoSessions: readonly string[]
}

/** What began at a provider that named no session may be of the one that ends: a logout that says whose it is ends that too. */
function isMeant({ sso, ssoSessions }: Listed, { subject, ...meant }: Meant): boolean {
  if (sso !== meant.sso) return false
  const { ssoSession } = meant
  if (ssoSession === undefined || ssoSessions.includes(ssoSession)) return true
  return subject !== undefined && ssoSessions.length === 0
}

async function endSignOn(deps: BackchannelLogoutDeps, userId: UserId, meant: Meant): Promise<void> {
  const account = await deps.accounts.find(userId)
  // Of an account that is switched off nothing is live.
  if (account === undefined || !account.user.isActive) return
  const listed = await deps.userSessions.list({ userId, securityRev: account.securityRev })
  const browsers = listed.browsers.map(({ ssoSessions = [], ...browser }) => ({ ...browser, ssoSessions }))
  const grants = listed.grants.map(({ sessionId: id, sso, ssoSession }) => ({
    id,
    sso,
    ssoSessions: ssoSession === undefined ? [] : [ssoSession],
  }))
  const ids = new Set([...browsers, ...grants].filter((part) => isMeant(part, meant)).map(({ id }) => id))
  const now = deps.clock.now()
  const live = liveSessions(listed, now).filter(({ id }) => ids.has(id))
  for (const { id } of live) await endListedSession(deps, userId, id)
  // No cookie has these any more, but codes of clients that were allowed there may wait.
  const left = browsers.filter(({ id, isOpen, validUntil }) => ids.has(id) && !isOpen && now < validUntil)
  for (const { id } of left) await deps.userSessions.close(userId, id, now)
}

function refused(message: string): OAuthError {
  return new OAuthError('invalid_request', { message })
}
