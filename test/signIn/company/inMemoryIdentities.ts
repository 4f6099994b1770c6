import type {
  Identities,
  IdentityKey,
  Linked,
  ProviderSignIn,
  ProviderSignIns,
} from '../../../lib/signIn/provider/ports.ts'
import { pendingInMemory } from '../recovery/inMemorySignIns.ts'
import type { Service } from '../recovery/service.ts'

/** Identities at providers, sign-ins under way there, and logout tokens, as the stores keep them. */
export function createIdentitiesInMemory({ deps: { accounts, users } }: Pick<Service, 'deps'>) {
  const linked = new Map<string, Linked>()
  const providerSignIns: ProviderSignIns = pendingInMemory<ProviderSignIn>()
  const used = new Set<string>()
  const keyOf = ({ issuer, subject, organizationId = '' as never }: IdentityKey) =>
    JSON.stringify([organizationId, issuer, subject])

  const identities: Identities = {
    find: async (identity) => linked.get(keyOf(identity)),
    async link({ user, securityRev, credentialsRev = 0 }, identity) {
      const now = await accounts.find(user.id)
      if (now?.securityRev !== securityRev || !now.user.isActive) return 'conflict'
      if ((linked.get(keyOf(identity))?.userId ?? user.id) !== user.id) return 'taken'
      linked.set(keyOf(identity), { userId: user.id, credentialsRev })
      return 'linked'
    },
    async create(user, identity) {
      if (linked.has(keyOf(identity))) return 'taken'
      const outcome = await users.create(user)
      if (outcome === 'created') linked.set(keyOf(identity), { userId: user.id, credentialsRev: 0 })
      return outcome === 'already_exists' ? 'email_taken' : outcome
    },
  }

  const logoutTokens = {
    isUsed: async (token: object) => used.has(JSON.stringify(token)),
    use: async (token: object) => void used.add(JSON.stringify(token)),
  }

  return { identities, providerSignIns, logoutTokens }
}
