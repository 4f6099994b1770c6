import type { GrantState } from '../../../lib/core/grant.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import type {
  AuthorizationCode,
  AuthorizationCodes,
  DeviceAuthorization,
  DeviceAuthorizations,
  OAuthClients,
  RefreshToken,
  RefreshTokens,
} from '../../../lib/oauth/ports.ts'
import type { SecretDigest } from '../../../lib/oauth/secretDigest.ts'
import type { Accounts, User, Users } from '../../../lib/users/ports.ts'
import { createInMemoryUserSessions, type InMemoryUserSessions, type StoredSessions } from './inMemoryUserSessions.ts'

/** Everything the stores hold, as plain data: taken with `save`, put back with `load`. */
export interface StoredTokens {
  clients: [string, OAuthClient][]
  users: [string, User][]
  codes: [SecretDigest, AuthorizationCode][]
  devices: [SecretDigest, DeviceAuthorization][]
  refreshTokens: [SecretDigest, RefreshToken][]
  revokedFamilies: string[]
  listed: StoredSessions
}

/** The stores of the token endpoint in memory, with what only a test may do. */
export interface InMemoryOauthStores extends Pick<InMemoryUserSessions, 'sessions' | 'userSessions'> {
  readonly clients: OAuthClients
  readonly codes: AuthorizationCodes
  readonly devices: DeviceAuthorizations
  readonly refreshTokens: RefreshTokens
  readonly users: Pick<Users, 'find'>
  readonly accounts: Pick<Accounts, 'find'>
  putClient(client: OAuthClient): Promise<void>
  putUser(user: User): Promise<void>
  /** Ends every grant of this user. */
  endGrants(userId: User['id']): Promise<void>
  save(): StoredTokens
  load(stored: StoredTokens): void
}

/**
 * The fakes of the DynamoDB adapters: one call is one instant, all of a rotation or none. Held to the adapters by the
 * contract suite in `oauthStoresContract.ts`.
 * @param accountOf the accounts of another fake, in place of `users`
 */
export function createInMemoryOauthStores({
  accountOf,
}: {
  accountOf?: (userId: UserId) => GrantState | undefined
} = {}): InMemoryOauthStores {
  const clients = new Map<string, OAuthClient>()
  const users = new Map<string, User>()
  const codes = new Map<SecretDigest, AuthorizationCode>()
  const devices = new Map<SecretDigest, DeviceAuthorization>()
  const userCodes = new Map<SecretDigest, SecretDigest>()
  const tokens = new Map<SecretDigest, RefreshToken>()
  const revoked = new Set<string>()
  const revisions = new Map<string, number>()
  const stateOf = (user: User) => ({ securityRev: revisions.get(user.id) ?? 0, keptFamily: undefined })
  const ownAccountOf = (userId: UserId) => {
    const user = users.get(userId)
    return user && { isActive: user.isActive, ...stateOf(user) }
  }
  const listed = createInMemoryUserSessions({
    accountOf: accountOf ?? ownAccountOf,
    isRevoked: (familyId) => revoked.has(familyId),
  })

  return {
    sessions: listed.sessions,
    userSessions: listed.userSessions,
    clients: { find: async (clientId) => copy(clients.get(clientId)) },
    users: { find: async (userId) => copy(users.get(userId)) },
    accounts: {
      async find(userId) {
        const user = users.get(userId)
        return user && { user: copy(user), passwordHash: undefined, formerEmails: [], ...stateOf(user) }
      },
    },
    codes: {
      find: async (digest) => copy(codes.get(digest)),
      async consume(digest, { familyId, now, refreshToken, listed: grant, browserSession }) {
        const code = codes.get(digest)
        if (code?.familyId === familyId) return { outcome: 'consumed' }
        if (code?.familyId !== undefined) return { outcome: 'already_used', familyId: code.familyId }
        if (!code || code.validUntil <= now) return { outcome: 'expired' }
        if (browserSession && !listed.isGoing(browserSession)) return { outcome: 'expired' }
        codes.set(digest, { ...code, familyId })
        if (grant) listed.listGrant(grant)
        if (refreshToken) tokens.set(refreshToken.digest, unrotated(refreshToken.token))
        return { outcome: 'consumed' }
      },
      async issue(digest, code) {
        codes.set(digest, copy(code))
      },
    },
    devices: {
      async begin({ device, user }, authorization) {
        const holder = devices.get(userCodes.get(user) ?? device)
        if (holder !== undefined && holder.validUntil > authorization.requestedAt) return false
        devices.set(device, copy(authorization))
        userCodes.set(user, device)
        return true
      },
      find: async (device) => copy(devices.get(device)),
      async findByUserCode(user) {
        const device = userCodes.get(user)
        const authorization = device && devices.get(device)
        return device && authorization && { ...copy(authorization), device }
      },
      async notePoll(device, read, poll) {
        const stored = devices.get(device)
        if (stored === undefined || stored.decision !== undefined || stored.polledAt !== read.polledAt) return false
        devices.set(device, { ...stored, ...poll })
        return true
      },
      async decide(device, decided, now) {
        const stored = devices.get(device)
        const { decision } = decided
        const decidedBy = decided.decision === 'allowed' ? decided.code.userId : decided.userId
        if (stored?.decision !== undefined) return stored.decision === decision && stored.decidedBy === decidedBy
        if (stored === undefined || stored.validUntil <= now) return false
        devices.set(device, { ...stored, decision, decidedBy })
        if (decided.decision === 'allowed') codes.set(device, copy(decided.code))
        return true
      },
    },
    refreshTokens: {
      find: async (digest) => copy(tokens.get(digest)),
      async rotate({ from, to, token, successorSalt, now, notesUse }) {
        const old = tokens.get(from)
        if (!old || old.rotatedAt !== undefined) return 'already_rotated'
        if (tokens.has(to)) return 'already_rotated'
        if (revoked.has(token.familyId)) return 'family_revoked'
        tokens.set(from, { ...old, rotatedAt: now, successorSalt })
        tokens.set(to, unrotated(notesUse ? { ...token, listedAt: now } : token))
        const { userId, clientId, securityRev, familyId, sessionId = familyId, familyEndsAt: endsAt } = token
        const { idleSeconds, sso } = token.authentication
        const used = { userId, clientId, securityRev, familyId, sessionId, endsAt, lastUsedAt: now, idleSeconds, sso }
        if (notesUse) listed.listGrant(used)
        return 'rotated'
      },
      isFamilyRevoked: async (familyId) => revoked.has(familyId),
      async revokeFamily({ familyId }) {
        revoked.add(familyId)
      },
    },
    async putClient(client) {
      clients.set(client.clientId, copy(client))
    },
    async putUser(user) {
      users.set(user.id, copy(user))
    },
    async endGrants(userId) {
      revisions.set(userId, (revisions.get(userId) ?? 0) + 1)
    },
    // Rows are replaced, never changed, so that what is saved may hold them.
    save: () => ({
      clients: [...clients],
      users: [...users],
      codes: [...codes],
      devices: [...devices],
      refreshTokens: [...tokens],
      revokedFamilies: [...revoked],
      listed: listed.save(),
    }),
    load(stored) {
      for (const [id, client] of stored.clients) clients.set(id, client)
      for (const [id, user] of stored.users) users.set(id, user)
      for (const [digest, code] of stored.codes) codes.set(digest, code)
      for (const [digest, device] of stored.devices) devices.set(digest, device)
      for (const [digest, token] of stored.refreshTokens) tokens.set(digest, token)
      for (const familyId of stored.revokedFamilies) revoked.add(familyId)
      listed.load(stored.listed)
    },
  }
}

function unrotated({ rotatedAt: _, successorSalt: __, ...token }: RefreshToken): RefreshToken {
  return copy(token)
}

/** Through JSON: like the store it keeps no `undefined`, and its objects are of this realm, which deep equality asks for. */
const copy = <Value>(value: Value): Value => (value === undefined ? value : JSON.parse(JSON.stringify(value)))
