import type { Grant } from '../../core/grant.ts'
import type { OrganizationId, PrincipalId, UserId } from '../../core/ids.ts'
import { authenticateConfidentialClient } from '../client/authenticateClient.ts'
import { digestSecret } from '../secretDigest.ts'
import { whyEnded } from './requireActiveUser.ts'
import { looksLikeAccessToken, type TokenInquiry, type TokenInspectionDeps } from './tokenInspection.ts'

/** What introspection returns of an active token (RFC 7662 §2.2). Members that do not apply are undefined. */
interface ActiveToken {
  principalId: PrincipalId
  clientId: string
  /** Of a token without a user only. */
  clientKind?: 'api_client' | 'service' | undefined
  /** Of an API client's token only. */
  organizationId?: OrganizationId | undefined
  /** Space-separated; empty if no scope was granted. */
  scope: string
  issuer: string
  /** Unix seconds. */
  expiresAt: number
  /** Of access tokens only. */
  access?: { tokenType: 'Bearer'; audience: string; tokenId: string; issuedAt: number } | undefined
}

/**
 * Introspects a token (RFC 7662 §4). Clients may ask about their own tokens; a resource server that is registered for it may ask about all.
 * Undefined, without the reason (§2.2), if the token is unknown, expired, revoked, rotated or of a client that the caller may not ask about; and
 * if its client was deleted or is disabled, or its user does not exist any more, is switched off or was signed out everywhere.
 * @throws OAuthError `invalid_client`, also for a public client; CommonError `service_unavailable`
 */
export async function introspect(deps: TokenInspectionDeps, inquiry: TokenInquiry): Promise<ActiveToken | undefined> {
  const client = await authenticateConfidentialClient(deps.clients, inquiry)
  const { token } = inquiry
  const read = looksLikeAccessToken(token) ? readAccessToken : readRefreshToken
  const found = await read(deps, token)
  if (found === undefined || !(client.introspectsAnyToken || found.active.clientId === client.clientId))
    return undefined
  const isOwn = found.active.clientId === client.clientId
  const [issuedTo, isActive] = await Promise.all([
    isOwn ? client : deps.clients.find(found.active.clientId),
    isGrantActive(deps, found),
  ])
  const isOfRevision = found.securityRev === undefined || found.securityRev === issuedTo?.securityRev
  return issuedTo && !issuedTo.disabled && isOfRevision && isActive ? found.active : undefined
}

interface Found {
  active: ActiveToken
  familyId: string
  /** The user's grant; undefined if the token is of no user. */
  grant: (Grant & { userId: UserId }) | undefined
  /** The revision of the service client that the token is of. */
  securityRev?: number
}

async function readAccessToken({ accessTokens }: TokenInspectionDeps, token: string): Promise<Found | undefined> {
  const claims = await accessTokens.read(token)
  if (claims === null) return undefined
  const { clientId, scope, issuer, expiresAt, audience, tokenId, issuedAt, familyId } = claims
  const access = { tokenType: 'Bearer' as const, audience, tokenId, issuedAt }
  const common = { clientId, scope, issuer, expiresAt, access }
  if (claims.kind === 'api_client') {
    const { apiClientId: principalId, organizationId } = claims
    return { active: { principalId, organizationId, clientKind: claims.kind, ...common }, familyId, grant: undefined }
  }
  if (claims.kind === 'service') {
    const { serviceClientId: principalId, securityRev, kind: clientKind } = claims
    return { active: { principalId, clientKind, ...common }, familyId, grant: undefined, securityRev }
  }
  const { userId, securityRev } = claims
  return { active: { principalId: userId, ...common }, familyId, grant: { userId, securityRev, familyId } }
}

async function readRefreshToken(deps: TokenInspectionDeps, token: string): Promise<Found | undefined> {
  const found = await deps.refreshTokens.find(digestSecret(token))
  if (!found || found.rotatedAt !== undefined || deps.clock.now() >= found.familyEndsAt) return undefined
  const { userId, securityRev, clientId, scope, familyEndsAt, familyId } = found
  const expiresAt = Math.floor(familyEndsAt / 1000)
  const active = { principalId: userId, clientId, scope, issuer: deps.issuer, expiresAt }
  return { active, familyId, grant: { userId, securityRev, familyId } }
}

async function isGrantActive(deps: TokenInspectionDeps, { familyId, grant }: Found): Promise<boolean> {
  const isRevoked = deps.refreshTokens.isFamilyRevoked(familyId)
  if (grant === undefined) return !(await isRevoked)
  const [account, revoked] = await Promise.all([deps.accounts.find(grant.userId), isRevoked])
  return whyEnded(grant, account, revoked) === undefined
}
