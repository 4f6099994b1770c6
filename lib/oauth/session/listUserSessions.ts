import * as z from 'zod/mini'
import { type Clock, toRfc3339 } from '../../core/clock.ts'
import { whyGrantEnded } from '../../core/grant.ts'
import type { Caller } from '../../core/identity.ts'
import { described, named, noNextCursor } from '../../http/schema.ts'
import { clientNames } from '../client/clientNames.ts'
import type { ListedSessions, OAuthClients, UserSessions } from '../ports.ts'

/** A session of the API's user. */
export const sessionResource = named(
  'Session',
  z.strictObject({
    id: described('For ending it', z.string()),
    client: described('The name of the client that used it last', z.string()),
    browser: described(
      'The browser and system, such as `Firefox on Linux`; null if they are not known',
      z.nullable(z.string()),
    ),
    created_at: described('When the user signed in', z.iso.datetime()),
    /** To the hour (`USE_NOTED_MILLISECONDS`). */
    last_used_at: described('When it was last used, to the hour', z.iso.datetime()),
    current: described('Whether it is the session of this request', z.boolean()),
  }),
)

export const sessionList = z.strictObject({
  sessions: described('The sessions, the last used first', z.array(sessionResource)),
  next_cursor: noNextCursor,
})

export interface ListSessionsDeps {
  readonly userSessions: Pick<UserSessions, 'list'>
  readonly clients: OAuthClients
  readonly clock: Clock
  /** The name of this service, for a browser in which no client has tokens. */
  readonly serviceName: string
}

/**
 * The caller's live sessions, the last used first. Contains nothing that could be used to take over a session.
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function listUserSessions(deps: ListSessionsDeps, caller: Caller): Promise<z.infer<typeof sessionList>> {
  const sessions = liveSessions(await deps.userSessions.list(caller), deps.clock.now())
  const nameOf = await clientNames(
    deps.clients,
    sessions.flatMap(({ clientId }) => clientId ?? []),
  )
  return {
    sessions: sessions.map(({ id, clientId, browser = null, createdAt, lastUsedAt, hasFamily }) => ({
      id,
      client: clientId === undefined ? deps.serviceName : nameOf(clientId),
      browser,
      created_at: toRfc3339(createdAt),
      last_used_at: toRfc3339(lastUsedAt),
      current: hasFamily(caller.familyId),
    })),
    next_cursor: null,
  }
}

/** A session as its user sees it. Times are Unix milliseconds. */
interface LiveUserSession {
  id: string
  /** The client that used it last; undefined for a browser in which no client has tokens. */
  clientId: string | undefined
  browser: string | undefined
  createdAt: number
  lastUsedAt: number
  /** Whether it has this family of tokens. */
  hasFamily(familyId: string | undefined): boolean
}

/**
 * The live sessions, the last used first. A browser's session includes the tokens that first-party clients got in it. The tokens of each other
 * client are a session of their own.
 * @param now Unix milliseconds
 */
export function liveSessions({ account, browsers, grants }: ListedSessions, now: number): LiveUserSession[] {
  const isLive = (grant: { securityRev: number; familyId?: string }) =>
    whyGrantEnded(grant, account, false) === undefined
  const live = grants.filter((grant) => !grant.isRevoked && now < grant.endsAt && isLive(grant))
  const open = browsers.filter(
    ({ isOpen, validUntil, securityRev }) => isOpen && now < validUntil && isLive({ securityRev }),
  )
  const ids = new Set([...open.map(({ id }) => id), ...live.map(({ sessionId }) => sessionId)])
  const sessions = [...ids].map((id): LiveUserSession => {
    const own = live.filter(({ sessionId }) => sessionId === id).toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
    const browser = browsers.find((listed) => listed.id === id)
    const parts = [...own, ...(browser === undefined ? [] : [browser])]
    return {
      id,
      clientId: own[0]?.clientId,
      browser: (browser ?? own[0])?.browser,
      createdAt: Math.min(...parts.map(({ createdAt }) => createdAt)),
      lastUsedAt: Math.max(...parts.map(({ lastUsedAt }) => lastUsedAt)),
      hasFamily: (familyId) => own.some((grant) => grant.familyId === familyId),
    }
  })
  return sessions.toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
}
