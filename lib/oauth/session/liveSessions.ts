import { whyGrantEnded } from '../../core/grant.ts'
import type { ListedSessions } from '../ports.ts'

/** One session as its user sees it. Times are Unix milliseconds. */
export interface LiveUserSession {
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
 * What is live of all that is listed, the last used first: a browser's session and what first-party clients got in it are one, what another
 * client got is one by itself.
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
