import type { Clock } from '../../core/clock.ts'
import { CommonError } from '../../core/errors.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { liveSessions } from '../../oauth/session/listUserSessions.ts'
import { type EndUserSessionDeps, endListedSession } from '../../oauth/session/userSessions.ts'
import type { Accounts } from '../../users/ports.ts'
import type { OpenIdClient } from '../ports.ts'
import type { CompanyProviders, Identities, UsedLogoutTokens } from './ports.ts'

/** A logout token is remembered longer than it counts. */
const REMEMBERED_MILLISECONDS = 60 * 60 * 1000

export interface BackchannelLogoutDeps extends EndUserSessionDeps {
  readonly companies: Pick<CompanyProviders, 'find'>
  readonly openId: Pick<OpenIdClient, 'readLogout'>
  readonly identities: Pick<Identities, 'find'>
  readonly accounts: Pick<Accounts, 'find'>
  readonly logoutTokens: UsedLogoutTokens
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Ends what a person got by the single sign-on of a company, because its provider says that the person was signed out there (OpenID Connect
 * Back-Channel Logout 1.0 §2.7): sessions in browsers, and the grants of clients. Other sign-ins of the person stay. A token counts once, and
 * is safe to send again after a failure.
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
  if (await deps.logoutTokens.isUsed({ organizationId, tokenId })) throw refused('logout token used again')
  const linked = await deps.identities.find({ issuer: provider.issuer, subject, organizationId })
  if (linked !== undefined) await endSignOn(deps, linked.userId, organizationId)
  await deps.logoutTokens.use({ organizationId, tokenId }, deps.clock.now() + REMEMBERED_MILLISECONDS)
  deps.logger.info('Signed out by the provider of a company', { organizationId, userId: linked?.userId })
}

async function endSignOn(deps: BackchannelLogoutDeps, userId: UserId, organizationId: OrganizationId): Promise<void> {
  const account = await deps.accounts.find(userId)
  // Of an account that is switched off nothing is live.
  if (account === undefined || !account.user.isActive) return
  const listed = await deps.userSessions.list({ userId, securityRev: account.securityRev })
  const signedOn = [...listed.browsers, ...listed.grants.map(({ sessionId: id, sso }) => ({ id, sso }))]
  const ids = new Set(signedOn.filter(({ sso }) => sso === organizationId).map(({ id }) => id))
  const live = liveSessions(listed, deps.clock.now()).filter(({ id }) => ids.has(id))
  for (const { id } of live) await endListedSession(deps, userId, id)
}

function refused(message: string): OAuthError {
  return new OAuthError('invalid_request', { message })
}
