import type { Session, Sessions } from '../../../lib/oauth/ports.ts'
import type { PendingSignIn, PendingSignIns } from '../../../lib/signIn/ports.ts'
import type { SignInProviders } from '../../../lib/signIn/provider/ports.ts'

/** Sessions and pending sign-ins by their cookies. */
export function createSignInsInMemory(): {
  sessions: Sessions
  pendingSignIns: PendingSignIns
  providers: Pick<SignInProviders, 'list'>
  addressFirst: undefined
} {
  const sessions = new Map<string, Session>()
  const pending = new Map<string, PendingSignIn>()
  return {
    providers: { list: async () => [] },
    addressFirst: undefined,
    sessions: {
      find: async (digest) => sessions.get(digest),
      async start(digest, session) {
        sessions.set(digest, session)
        return true
      },
      end: async (digest) => void sessions.delete(digest),
    },
    pendingSignIns: {
      find: async (digest) => pending.get(digest),
      begin: async (digest, begun) => void pending.set(digest, begun),
      async end(digest) {
        const ended = pending.get(digest)
        pending.delete(digest)
        return ended
      },
    },
  }
}
