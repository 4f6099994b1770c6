import * as z from 'zod/mini'
import { type Clock, toRfc3339 } from '../../core/clock.ts'
import type { Caller } from '../../core/identity.ts'
import { clientNames } from '../client/clientNames.ts'
import type { OAuthClients, UserSessions } from '../ports.ts'
import { liveSessions } from './liveSessions.ts'

/** A session of the API's user. */
export const sessionResource = z
  .strictObject({
    id: z.string(),
    client: z.string(),
    browser: z.nullable(z.string()),
    created_at: z.iso.datetime(),
    /** To the hour (`USE_NOTED_MILLISECONDS`). */
    last_used_at: z.iso.datetime(),
    current: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'Session' })

/** The answer that lists them. */
export const sessionList = z.strictObject({ sessions: z.array(sessionResource) })

export interface ListSessionsDeps {
  readonly userSessions: Pick<UserSessions, 'list'>
  readonly clients: OAuthClients
  readonly clock: Clock
  /** The name of this service, for a browser in which no client has tokens. */
  readonly serviceName: string
}

/**
 * The caller's live sessions, the last used first. Holds nothing that a session could be taken over with.
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
  }
}
