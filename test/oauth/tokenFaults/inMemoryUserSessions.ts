import { CommonError } from '../../../lib/core/errors.ts'
import { type GrantState, whyGrantEnded } from '../../../lib/core/grant.ts'
import type { OrganizationId, UserId } from '../../../lib/core/ids.ts'
import type { ListedGrant, Session, Sessions, UserSessions } from '../../../lib/oauth/ports.ts'
import type { SecretDigest } from '../../../lib/oauth/secretDigest.ts'

/** A browser's session among what is listed. */
interface ListedBrowser {
  userId: UserId
  id: string
  securityRev: number
  createdAt: number
  lastUsedAt: number
  validUntil: number
  browser?: string | undefined
  sso?: OrganizationId | undefined
  ssoSessions?: readonly string[] | undefined
  endedAt?: number
  cookies: readonly SecretDigest[]
}

type Grant = ListedGrant & { createdAt: number }

/** Everything that is stored of sessions, as plain data. */
export interface StoredSessions {
  sessions: [SecretDigest, Session][]
  browsers: [string, ListedBrowser][]
  grants: [string, Grant][]
}

/** What is stored beside sessions. */
interface Beside {
  accountOf(userId: UserId): GrantState | undefined
  isRevoked(familyId: string): boolean
}

/** `Sessions` and `UserSessions` in memory, with the parts that belong to the transactions of codes and tokens. */
export interface InMemoryUserSessions {
  readonly sessions: Sessions
  readonly userSessions: UserSessions
  /** Lists a family, or notes that it was used. */
  listGrant(grant: ListedGrant): void
  /** Whether a browser's session has not ended. */
  isGoing(of: { userId: UserId; sessionId: string }): boolean
  save(): StoredSessions
  load(stored: StoredSessions): void
}

/** The fakes of the DynamoDB adapters, held to the same contract (`userSessionsContract.ts`): rows are replaced, never changed. */
export function createInMemoryUserSessions({ accountOf, isRevoked }: Beside): InMemoryUserSessions {
  const sessions = new Map<SecretDigest, Session>()
  const browsers = new Map<string, ListedBrowser>()
  const grants = new Map<string, Grant>()
  const logouts = new Map<string, number>()
  const keyOf = (userId: UserId, sessionId: string) => `${userId} ${sessionId}`
  const isGoing = (of: { userId: UserId; sessionId: string }) => {
    const browser = browsers.get(keyOf(of.userId, of.sessionId))
    return browser !== undefined && browser.endedAt === undefined
  }
  const grantsOf = (userId: UserId) => [...grants.values()].filter((grant) => grant.userId === userId)

  return {
    isGoing,
    listGrant(grant) {
      const key = `${keyOf(grant.userId, grant.sessionId)} ${grant.familyId}`
      grants.set(key, { createdAt: grant.lastUsedAt, ...grants.get(key), ...present(grant) })
    },
    sessions: {
      find: async (digest) => sessions.get(digest),
      async start(digest, session, joins, arrival) {
        const { id, userId, securityRev, authentication, validUntil, browser } = session
        const listed = browsers.get(keyOf(userId, id))
        if (joins ? !isGoing({ userId, sessionId: id }) : listed !== undefined) return false
        if (arrival?.logouts.some((name) => (logouts.get(name) ?? 0) > arrival.at)) return false
        sessions.set(digest, present(session))
        const { at: lastUsedAt, sso, ssoSession } = authentication
        const now = present({ userId, id, securityRev, lastUsedAt, validUntil, browser, sso })
        const cookies = [...(listed?.cookies ?? []), digest]
        const earlier = (listed?.ssoSessions ?? []).filter((one) => one !== ssoSession)
        const ssoSessions = ssoSession === undefined ? listed?.ssoSessions : [...earlier, ssoSession]
        browsers.set(keyOf(userId, id), { createdAt: lastUsedAt, ...listed, ...now, cookies, ssoSessions })
        return true
      },
      async end(digest) {
        const session = sessions.get(digest)
        sessions.delete(digest)
        const key = session && keyOf(session.userId, session.id)
        const listed = key === undefined ? undefined : browsers.get(key)
        if (key === undefined || listed === undefined) return
        browsers.set(key, { ...listed, cookies: listed.cookies.filter((cookie) => cookie !== digest) })
      },
    },
    userSessions: {
      async list({ userId, securityRev, familyId }) {
        const account = accountOf(userId)
        const isCallerRevoked = familyId !== undefined && isRevoked(familyId)
        const ended = whyGrantEnded({ securityRev, familyId }, account, isCallerRevoked)
        if (account === undefined || ended !== undefined) throw new CommonError('invalid_token')
        const own = [...browsers.values()].filter((browser) => browser.userId === userId)
        return structuredClone({
          account,
          browsers: own.map(({ cookies, endedAt, userId: _, ...browser }) => ({
            ...browser,
            isOpen: endedAt === undefined && cookies.length > 0,
          })),
          grants: grantsOf(userId).map((grant) => ({ ...grant, isRevoked: isRevoked(grant.familyId) })),
        })
      },
      async close(userId, sessionId, now) {
        const key = keyOf(userId, sessionId)
        const listed = browsers.get(key)
        if (listed === undefined) return undefined
        browsers.set(key, { endedAt: now, ...listed })
        return listed.cookies
      },
      grantsIn: async (userId, sessionId) =>
        structuredClone(grantsOf(userId).filter((grant) => grant.sessionId === sessionId)),
      async families(userId, { sessionId, clientId }) {
        const isMeant = (grant: Grant) =>
          (clientId ?? grant.clientId) === grant.clientId && (sessionId ?? grant.sessionId) === grant.sessionId
        return grantsOf(userId)
          .filter(isMeant)
          .map(({ familyId }) => familyId)
      },
      async usersBy(ssoSession) {
        const own = [...browsers.values()].filter(({ ssoSessions = [] }) => ssoSessions.includes(ssoSession))
        return [...new Set(own.map(({ userId }) => userId))]
      },
      async noteLogouts(names, at) {
        for (const name of names) logouts.set(name, at)
      },
    },
    save: () => ({ sessions: [...sessions], browsers: [...browsers], grants: [...grants] }),
    load(stored) {
      for (const [digest, session] of stored.sessions) sessions.set(digest, session)
      for (const [key, browser] of stored.browsers) browsers.set(key, browser)
      for (const [key, grant] of stored.grants) grants.set(key, grant)
    },
  }
}

/** Like the store it keeps no `undefined`: what is written without a member leaves that as it was. */
const present = <Row extends object>(row: Row): Row => JSON.parse(JSON.stringify(row))
