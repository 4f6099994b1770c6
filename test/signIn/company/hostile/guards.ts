import { emailKey } from '../../../../lib/users/emailKey.ts'
import type { CompanyParts } from '../companyService.ts'
import type { Monitor } from './brokenPromise.ts'

/** What company sign-in is made of, and the monitor that notices where it is removed. */
export const guards = {
  'a provider’s answer is checked': 'an answer that is not the provider’s opens nothing',
  'a provider speaks for its own domains': 'a provider vouches for its own verified domains alone',
  'an address must be verified': 'a provider vouches for its own verified domains alone',
  'an identity is of one organization': 'nobody gets in without a proof that the account accepts',
  'a new password disconnects': 'nobody gets in without a proof that the account accepts',
  'the account’s second factor is asked for': 'nobody gets in without a proof that the account accepts',
  'rules are checked at each read': 'a rule holds at the next request',
  'a sign-on is of one organization': 'a rule holds at the next request',
  'removal ends access': 'who has left has no access at the next request',
  'a logout ends grants': 'who has left has no access at the next request',
  'a logout ends sign-ins that wait': 'who has left has no access at the next request',
  'a logout token counts once': 'a logout ends only what it is about',
  'a domain is lost after three checks': 'a domain belongs to the organization that proves it',
  'a domain is of one organization': 'a domain belongs to the organization that proves it',
  'who has left does not come back by the domain': 'who has left has no access at the next request',
  'the break-glass owner stays an owner': 'no owner is locked out',
  'the answer depends on the domain alone': 'an answer says nothing of accounts',
} as const satisfies Record<string, Monitor>
export type Guard = keyof typeof guards

const removed: { readonly [Name in Guard]?: (parts: CompanyParts) => Partial<CompanyParts> } = {
  'a provider speaks for its own domains': ({ companies }) => ({
    companies: {
      ...companies,
      async find(id) {
        const found = await companies.find(id)
        return found && { ...found, domains: undefined as never }
      },
    },
  }),
  'an address must be verified': ({ openId }) => ({
    openId: {
      ...openId,
      async exchange(...sent) {
        const answer = await openId.exchange(...sent)
        return answer.kind === 'proven'
          ? { ...answer, identity: { ...answer.identity, isEmailVerified: true } }
          : answer
      },
    },
  }),
  'an identity is of one organization': ({ identities }) => {
    const anyOf = <Key extends { organizationId?: unknown }>(key: Key): Key => ({ ...key, organizationId: undefined })
    return {
      identities: {
        find: (key) => identities.find(anyOf(key)),
        link: (account, identity, now) => identities.link(account, anyOf(identity), now),
        create: (user, identity) => identities.create(user, anyOf(identity)),
      },
    }
  },
  'a new password disconnects': ({ identities, accounts }) => ({
    identities: {
      ...identities,
      async find(key) {
        const linked = await identities.find(key)
        const account = linked && (await accounts.find(linked.userId))
        return linked && { ...linked, credentialsRev: account?.credentialsRev ?? 0 }
      },
    },
  }),
  'the account’s second factor is asked for': ({ authenticators }) => ({
    authenticators: {
      async list(userId) {
        return { ...(await authenticators.list(userId)), passkeys: [], totp: undefined }
      },
    },
  }),
  'a sign-on is of one organization': ({ organizations }) => ({
    organizations: {
      ...organizations,
      async read(id, caller) {
        const view = await organizations.read(id, caller)
        const { sso = id } = ('authentication' in caller && caller.authentication) || {}
        return sso !== id ? { ...view, callerDomain: undefined } : view
      },
    },
  }),
  'removal ends access': ({ organizations }) => {
    const seen = new Map<string, ReturnType<Awaited<ReturnType<typeof organizations.read>>['roleOf']>>()
    return {
      organizations: {
        ...organizations,
        async read(id, caller, others) {
          const view = await organizations.read(id, caller, others)
          return {
            ...view,
            roleOf(principal) {
              const role = view.roleOf(principal) ?? seen.get(`${id} ${principal}`)
              seen.set(`${id} ${principal}`, role)
              return role
            },
          }
        },
      },
    }
  },
  'a logout ends grants': ({ refreshTokens }) => ({
    refreshTokens: { ...refreshTokens, revokeFamily: async () => {} },
  }),
  'a logout ends sign-ins that wait': ({ userSessions }) => ({
    userSessions: { ...userSessions, noteLogouts: async () => {} },
  }),
  'a logout token counts once': ({ logoutTokens }) => ({
    logoutTokens: { ...logoutTokens, isUsed: async () => false },
  }),
  'a domain is lost after three checks': ({ checks }) => ({ checks: { ...checks, lose: async () => 'conflict' } }),
  'a domain is of one organization': ({ domains, freeDomain }) => ({
    domains: {
      ...domains,
      verify(domain, checkAt, write) {
        freeDomain(domain.name)
        return domains.verify(domain, checkAt, write)
      },
    },
  }),
  'who has left does not come back by the domain': ({ domainMembers, forgetApart }) => ({
    domainMembers: {
      ...domainMembers,
      find(domain, userId) {
        forgetApart(userId)
        return domainMembers.find(domain, userId)
      },
    },
  }),
  'the break-glass owner stays an owner': ({ organizations, forgetBreakGlass }) => ({
    organizations: {
      ...organizations,
      // Only changes of roles read others.
      async read(id, caller, others = []) {
        if (others.length > 0) forgetBreakGlass(id)
        return organizations.read(id, caller, others)
      },
    },
  }),
  'the answer depends on the domain alone': ({ companies, accounts }) => ({
    companies: {
      ...companies,
      async findByAddress(email) {
        const account = await accounts.findByEmail(emailKey(email))
        return account && companies.findByAddress(email)
      },
    },
  }),
}

/** What the use cases stand on, without one guard. */
export function withoutGuard(without: Guard | undefined, parts: CompanyParts): CompanyParts {
  return { ...parts, ...(without && removed[without]?.(parts)) }
}
