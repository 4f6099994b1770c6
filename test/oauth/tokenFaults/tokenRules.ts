import { CommonError } from '../../../lib/core/errors.ts'
import { OAuthError } from '../../../lib/oauth/errors.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import type { IssuedTokens, TokenRequest } from '../../../lib/oauth/token/tokenRequest.ts'
import type { Ending } from '../../proof/world/orders/gate.ts'
import type { StoredTokens } from './inMemoryOauthStores.ts'

/** A request, and how it ended. */
export interface Exchange {
  request: TokenRequest
  ending: Ending<IssuedTokens>
}

/**
 * The state of a request’s code or refresh token: whether it waits for its user, may still be used, or sent again for the answer that it had, or the family
 * that used it.
 */
type TokenState =
  | { kind: 'good' }
  | { kind: 'waiting' }
  | { kind: 'answered' }
  | { kind: 'ended' }
  | { kind: 'used'; familyId: string }

/** @param now Unix milliseconds */
export function tokenStateOf(stored: StoredTokens, request: TokenRequest, now: number): TokenState {
  const secret = digestSecret(request.code ?? request.deviceCode ?? request.refreshToken ?? '')
  const device = stored.devices.find(([digest]) => digest === secret)?.[1]
  if (device !== undefined && device.decision === undefined)
    return { kind: now < device.validUntil ? 'waiting' : 'ended' }
  const code = stored.codes.find(([digest]) => digest === secret)?.[1]
  if (code?.familyId !== undefined) return { kind: 'used', familyId: code.familyId }
  if (code) return { kind: now < code.validUntil ? 'good' : 'ended' }
  const token = stored.refreshTokens.find(([digest]) => digest === secret)?.[1]
  if (!token) return { kind: 'ended' }
  const { familyId, rotatedAt } = token
  const isRevoked = stored.revokedFamilies.includes(familyId)
  const isAlive = now < token.familyEndsAt && !isRevoked
  if (rotatedAt === undefined) return { kind: isAlive ? 'good' : 'ended' }
  // Tokens are rotated one after the other: where another was rotated later, the successor has been used.
  const later = stored.refreshTokens.some(([digest, other]) => {
    return digest !== secret && other.familyId === familyId && (other.rotatedAt ?? 0) >= rotatedAt
  })
  if (later || now >= rotatedAt + 30_000) return { kind: 'used', familyId }
  return { kind: isRevoked ? 'ended' : 'answered' }
}

/** The rules that hold after every call, whatever failed before. Answers the broken ones, in words. */
export function brokenTokenRules({ codes, refreshTokens, revokedFamilies }: StoredTokens): string[] {
  const families = [...new Set(refreshTokens.map(([, { familyId }]) => familyId))]
  return families.flatMap((familyId) => {
    const own = refreshTokens.map(([, token]) => token).filter((token) => token.familyId === familyId)
    const live = revokedFamilies.includes(familyId) ? [] : own.filter(({ rotatedAt }) => rotatedAt === undefined)
    const code = codes.map(([, row]) => row).find((row) => row.familyId === familyId)
    const granted = own.every(({ clientId, userId, securityRev, authentication, scope }) => {
      const isUsers = userId === code?.userId && securityRev === code.securityRev
      const isOfSignIn = authentication.at === code?.authentication.at
      return isUsers && isOfSignIn && clientId === code.clientId && scope === code.scope
    })
    return [
      ...(granted ? [] : [`the family ${familyId} was not granted by a code that it used`]),
      ...(live.length > 1 ? [`the family ${familyId} has ${live.length} live tokens`] : []),
    ]
  })
}

/** Whether a device that polls is told that it has no tokens yet, or never will. */
export function isOfDevice({ code }: OAuthError): boolean {
  return ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'].includes(code)
}

/** What is wrong with the answers that were given so far. `matches`: the requests name a code or token of their own. */
export function brokenAnswers(
  exchanges: readonly Exchange[],
  stored: StoredTokens,
  { matches, signed }: { matches: boolean; signed: ReadonlySet<string> },
): string[] {
  const granted = exchanges.flatMap(({ ending }) => (ending.kind === 'answered' ? [ending.value] : []))
  const codes = exchanges.filter(
    ({ request, ending }) => (request.code ?? request.deviceCode) !== undefined && ending.kind === 'answered',
  )
  const successors = new Map(exchanges.map(({ request }) => [request.refreshToken, new Set<string | undefined>()]))
  for (const { request, ending } of exchanges)
    if (ending.kind === 'answered') successors.get(request.refreshToken)?.add(ending.value.refreshToken)
  return [
    ...(codes.length > 1 ? [`a code was answered with tokens ${codes.length} times`] : []),
    ...[...successors.values()].flatMap(({ size }) => (size > 1 ? [`one token has ${size} successors`] : [])),
    ...(granted.length > 0 && !matches ? ['answered with tokens what must not be granted'] : []),
    ...granted.flatMap(({ accessToken }) => (signed.has(accessToken) ? [] : ['an access token that was not signed'])),
    ...exchanges.flatMap(({ request, ending }) => {
      if (ending.kind !== 'failed') return []
      const { error } = ending
      if (error instanceof CommonError && error.code === 'service_unavailable') return []
      if (!(error instanceof OAuthError)) return [`answered 500: ${String(error)}`]
      const isPolled = request.deviceCode !== undefined && isOfDevice(error)
      if (error.code !== 'invalid_grant' && !isPolled) return [`answered ${error.code}`]
      const state = tokenStateOf(stored, request, 0)
      const alive = matches && state.kind === 'used' && !stored.revokedFamilies.includes(state.familyId)
      return alive ? ['a reuse was refused and its family lives on'] : []
    }),
  ]
}
