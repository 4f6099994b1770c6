import type { Grant } from '../core/grant.ts'
import type { UserId } from '../core/ids.ts'
import { authenticateConfidentialClient } from './authenticateClient.ts'
import { whyEnded } from './requireActiveUser.ts'
import { digestSecret } from './secretDigest.ts'
import { looksLikeAccessToken, type TokenInquiry, type TokenInspectionDeps } from './tokenInspection.ts'

/** What introspection returns of an active token (RFC 7662 §2.2). Members that do not apply are undefined. */
interface ActiveToken {
  userId: UserId
  clientId: string
  /** Space-separated; empty where none was granted. */
  scope: string
  issuer: string
  /** Unix seconds. */
  expiresAt: number
  /** Of access tokens only. */
  access?: { tokenType: 'Bearer'; audience: string; tokenId: string; issuedAt: number } | undefined
}

/**
 * Introspects a token of the client's own, or of any client for a resource server that is registered for it (RFC 7662 §4). Undefined,
 * without the reason (§2.2), for a token that is unknown, expired, revoked, rotated or of a client that this one may not ask about, and where its user does not exist any more, is switched off or was signed out everywhere.
 * @throws OAuthError `invalid_client`, also for a public client; CommonError `service_unavailable`
 */
export async function introspect(deps: TokenInspectionDeps, inquiry: TokenInquiry): Promise<ActiveToken | undefined> {
  const client = await authenticateConfidentialClient(deps.clients, inquiry)
  const { token } = inquiry
  const read = looksLikeAccessToken(token) ? readAccessToken : readRefreshToken
  const found = await read(deps, token)
  if (found === undefined || !(client.introspectsAnyToken || found.active.clientId === client.clientId))
    return undefined
  return (await isGrantActive(deps, found)) ? found.active : undefined
}

interface Found extends Grant {
  active: ActiveToken
  familyId: string
}

async function readAccessToken({ accessTokens }: TokenInspectionDeps, token: string): Promise<Found | undefined> {
  const claims = await accessTokens.read(token)
  if (claims === null) return undefined
  const { userId, clientId, scope, issuer, expiresAt, audience, tokenId, issuedAt, familyId, securityRev } = claims
  const access = { tokenType: 'Bearer' as const, audience, tokenId, issuedAt }
  const active = { userId, clientId, scope, issuer, expiresAt, access }
  return { active, familyId, securityRev }
}

async function readRefreshToken(deps: TokenInspectionDeps, token: string): Promise<Found | undefined> {
  const found = await deps.refreshTokens.find(digestSecret(token))
  if (!found || found.rotatedAt !== undefined || deps.clock.now() >= found.familyEndsAt) return undefined
  const { userId, securityRev, clientId, scope, familyEndsAt, familyId } = found
  const expiresAt = Math.floor(familyEndsAt / 1000)
  const active = { userId, clientId, scope, issuer: deps.issuer, expiresAt }
  return { active, familyId, securityRev }
}

async function isGrantActive(deps: TokenInspectionDeps, { active, ...grant }: Found): Promise<boolean> {
  const [account, revoked] = await Promise.all([
    deps.accounts.find(active.userId),
    deps.refreshTokens.isFamilyRevoked(grant.familyId),
  ])
  return whyEnded(grant, account, revoked) === undefined
}
