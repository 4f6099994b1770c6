import { hash } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import { authenticationMethodSchema } from '../../core/authentication.ts'
import type { Clock } from '../../core/clock.ts'
import type { AccessTokenVerifier } from '../../core/identity.ts'
import {
  apiClientIdSchema,
  organizationIdSchema,
  partsOfApiClientId,
  serviceClientIdSchema,
  userIdSchema,
} from '../../core/ids.ts'
import type { AccessTokenClaims, AccessTokenReader } from '../../oauth/ports.ts'
import { findKeyIn, tokenAlgorithms } from './tokenPublicKeys.ts'

/** How far the signer's clock may be ahead of this one. */
const CLOCK_SKEW_SECONDS = 60

/** Of so many tokens a process remembers what it read, about 1 KB each. A caller that polls sends the same token for 15 minutes. */
const REMEMBERED_TOKENS = 100

/**
 * RFC 9068 §2.1 and §2.2, beyond what `jwtVerify` checks. The header has these members and no other: none may point to another key
 * (RFC 8725 §3.10). `aud` is one audience and not a list.
 */
const accessToken = z.object({
  protectedHeader: z.strictObject({ typ: z.string(), alg: z.string(), kid: z.string() }),
  payload: z.object({
    iss: z.string(),
    aud: z.string(),
    client_id: z.string().check(z.minLength(1)),
    iat: z.int(),
    exp: z.int(),
    jti: z.string().check(z.minLength(1)),
    scope: z.string(),
    first_party: z.optional(z.literal(true)),
    sid: z.string().check(z.minLength(1)),
  }),
})

/** The subject of an API client's token: the client itself, with its organization. */
const apiClientSubject = z.pipe(
  z
    .object({
      sub: apiClientIdSchema,
      client_id: z.string(),
      client_kind: z.optional(z.literal('api_client')),
      org: organizationIdSchema,
      first_party: z.optional(z.never()),
    })
    .check(z.refine(({ sub, client_id, org }) => sub === client_id && org === partsOfApiClientId(sub).organizationId)),
  z.transform(({ sub, org }) => ({ kind: 'api_client' as const, apiClientId: sub, organizationId: org })),
)

/** The subject of a service client's token: the client itself, without an organization. */
const serviceSubject = z.pipe(
  z
    .object({
      sub: serviceClientIdSchema,
      client_id: z.string(),
      client_kind: z.literal('service'),
      rev: z.int().check(z.nonnegative()),
      org: z.optional(z.never()),
      first_party: z.optional(z.never()),
    })
    .check(z.refine(({ sub, client_id }) => sub === client_id)),
  z.transform(({ sub, rev }) => ({ kind: 'service' as const, serviceClientId: sub, securityRev: rev })),
)

/** The subject of a user's token, with the sign-in that it is of. */
const userSubject = z.pipe(
  z.object({
    sub: userIdSchema,
    client_kind: z.optional(z.never()),
    rev: z.int().check(z.nonnegative()),
    auth_time: z.int().check(z.nonnegative()),
    // Empty after a single factor of a provider.
    amr: z.array(authenticationMethodSchema),
    new_factor_until: z.optional(z.int()),
    idle: z.optional(z.int().check(z.nonnegative())),
    sso: z.optional(organizationIdSchema),
  }),
  z.transform(({ sub, rev, auth_time, amr, new_factor_until: until, idle, sso }) => ({
    kind: 'user' as const,
    userId: sub,
    securityRev: rev,
    authentication: {
      at: auth_time * 1000,
      methods: amr,
      ...(until !== undefined && { newFactorUntil: until * 1000 }),
      ...(idle !== undefined && { idleSeconds: idle }),
      ...(sso !== undefined && { sso }),
    },
  })),
)

/**
 * Verifies access tokens (RFC 9068) of one issuer for one audience, signed with RS256 by the key that the token names by its `kid`.
 * A token has one encoding only: another text that decodes to the same bytes is refused.
 * @param publicKeys as `readTokenPublicKeys` reads them
 * @throws Error for a text that lists no keys, at once; for an ill-formed key, with each token
 */
export function createAccessTokenVerifier(options: {
  publicKeys: string
  issuer: string
  audience: string
  clock: Clock
}): AccessTokenVerifier & AccessTokenReader {
  const { publicKeys, issuer, audience, clock } = options
  const keyOf = findKeyIn(publicKeys)

  async function readAnew(token: string): Promise<AccessTokenClaims | null> {
    if (!isCanonical(token)) return null
    const currentDate = new Date(clock.now())
    try {
      const expected = { algorithms: tokenAlgorithms, typ: 'at+jwt', issuer, audience, currentDate }
      const verified = await jwtVerify(token, keyOf, expected)
      const { data } = accessToken.safeParse(verified)
      const whose = subjectOf(verified.payload.sub).safeParse(verified.payload).data
      if (!data || !whose) return null
      const { iss, aud, client_id, iat, exp, jti, scope, first_party = false, sid } = data.payload
      return {
        ...whose,
        tokenId: jti,
        clientId: client_id,
        scope,
        isFirstParty: first_party,
        familyId: sid,
        issuer: iss,
        audience: aud,
        issuedAt: iat,
        expiresAt: exp,
      }
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }

  /** By the digest of the token, oldest first. The keys are those of the verifier, so a signature that was good stays good. */
  const remembered = new Map<string, AccessTokenClaims>()

  const reader: AccessTokenReader = {
    async read(token) {
      const digest = hash('sha256', token, 'base64url')
      const claims = remembered.get(digest) ?? (await readAnew(token))
      if (claims === null) return null
      const now = clock.now() / 1000
      if (claims.expiresAt <= now || claims.issuedAt > now + CLOCK_SKEW_SECONDS) return null
      remembered.set(digest, claims)
      const [oldest] = remembered.keys()
      if (remembered.size > REMEMBERED_TOKENS && oldest !== undefined) remembered.delete(oldest)
      return claims
    },
  }

  return {
    ...reader,
    async verify(token) {
      const claims = await reader.read(token)
      if (claims === null) return null
      const { scope, isFirstParty, familyId } = claims
      if (claims.kind === 'api_client') {
        const { apiClientId, organizationId } = claims
        return { apiClientId, organizationId, scope, isFirstParty: false, familyId }
      }
      if (claims.kind === 'service') {
        const { serviceClientId, securityRev } = claims
        return { serviceClientId, securityRev, scope, isFirstParty: false, familyId }
      }
      const { userId, clientId, securityRev, authentication } = claims
      return { userId, clientId, scope, isFirstParty, familyId, securityRev, authentication }
    },
  }
}

/** The claims that the form of the subject asks for. */
function subjectOf(sub = '') {
  if (sub.startsWith('client_')) return apiClientSubject
  return sub.startsWith('service_') ? serviceSubject : userSubject
}

/** Decoders ignore padding, whitespace, foreign characters and the last bits; no token issued here relies on that. */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}
