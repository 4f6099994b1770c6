import type { Session, Sessions } from '../../../lib/oauth/ports.ts'
import type { PendingSignIn, PendingSignIns } from '../../../lib/signIn/ports.ts'
import type { SignInProviders } from '../../../lib/signIn/provider/ports.ts'

/** What is under way, by the digest of its cookie. */
export function pendingInMemory<Pending>() {
  const pending = new Map<string, Pending>()
  return {
    find: async (digest: string) => pending.get(digest),
    begin: async (digest: string, begun: Pending) => void pending.set(digest, begun),
    async end(digest: string) {
      const ended = pending.get(digest)
      pending.delete(digest)
      return ended
    },
  }
}

/** Sessions and pending sign-ins by their cookies. */
export function createSignInsInMemory(): {
  sessions: Sessions
  pendingSignIns: PendingSignIns
  providers: Pick<SignInProviders, 'list'>
  addressFirst: undefined
} {
  const sessions = new Map<string, Session>()
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
    pendingSignIns: pendingInMemory<PendingSignIn>(),
  }
}
