import { CommonError } from '../../../lib/core/errors.ts'
import { type AnyCaller, type Caller, isApiClient, isServiceClient } from '../../../lib/core/identity.ts'
import type { OrganizationId, UserId } from '../../../lib/core/ids.ts'
import { domainOfAddress } from '../../../lib/organizations/domains/domainName.ts'
import type {
  Domain,
  DomainChecks,
  DomainMembers,
  Domains,
  DomainWrite,
  DueCheck,
} from '../../../lib/organizations/domains/ports.ts'
import type { Organization, Organizations, SignInRules, SignInRulesRecords } from '../../../lib/organizations/ports.ts'
import type { CompanyProviders } from '../../../lib/signIn/provider/ports.ts'
import { createSignOnsInMemory, type SignOnOrganization } from '../../organizations/signOn/inMemorySignOns.ts'
import type { Service } from '../recovery/service.ts'

/** What an organization has beside its members. */
interface CompanyParts extends SignOnOrganization {
  readonly domains: Map<string, Domain>
  /** Who was removed or left, or declined. */
  readonly apart: Set<UserId>
  signInRules?: SignInRules
}

/** The domains that are verified, each for one organization. */
type OwnDomains = Map<string, DueCheck & Pick<Domain, 'membership'>>

/** Organizations with domains, rules and a single sign-on, on the members that a service keeps in memory. */
export function createCompaniesInMemory(
  { places, deps, entries }: Pick<Service, 'places' | 'deps' | 'entries'>,
  isRevoked: (familyId: string) => Promise<boolean>,
) {
  const signOns = createSignOnsInMemory()
  const parts = new Map<OrganizationId, CompanyParts>()
  const own: OwnDomains = new Map()
  const isOwner = (id: OrganizationId, userId: UserId) => places.ownersOf(id).includes(userId)
  const partsOf = (id: OrganizationId): CompanyParts => {
    const found = parts.get(id)
    if (found === undefined) throw new Error('no such organization')
    return found
  }

  /** As the item of the organization has it. */
  function withParts(organization: Organization): Organization {
    const { signOn, signInRules, verifiedDomains } = partsOf(organization.id)
    const domains = verifiedDomains.size > 0 && { verifiedDomains: [...verifiedDomains].toSorted() }
    return { ...organization, ...(signOn && { signOn }), ...(signInRules && { signInRules }), ...domains }
  }

  async function factsOf({ userId }: Caller) {
    const account = await deps.accounts.find(userId)
    const callerDomain = account && domainOfAddress(account.user.email)
    return { callerHasSecondFactor: account?.hasSecondFactor ?? false, callerDomain }
  }

  async function requireUnrevoked(caller: AnyCaller): Promise<Caller> {
    if (isApiClient(caller) || isServiceClient(caller)) throw new Error('only users are in these stories')
    if (caller.familyId !== undefined && (await isRevoked(caller.familyId))) throw new CommonError('invalid_token')
    return caller
  }

  const organizations: Pick<Organizations, 'read' | 'list' | 'readMembers' | 'changeRoles'> = {
    ...places.organizations,
    async read(id, by, others) {
      const caller = await requireUnrevoked(by)
      const { organization, roleOf } = await places.organizations.read(id, caller, others)
      return { organization: organization && withParts(organization), roleOf, ...(await factsOf(caller)) }
    },
    async list(caller) {
      const all = await places.organizations.list(await requireUnrevoked(caller))
      return all.map(({ organization, role }) => ({ organization: withParts(organization), role }))
    },
    async changeRoles(id, change) {
      const { signOn, apart } = partsOf(id)
      const isDeposed = change.changes.some(({ userId, to }) => userId === signOn?.breakGlassUserId && to !== 'owner')
      if (isDeposed) return 'conflict'
      const outcome = await places.organizations.changeRoles(id, change)
      if (outcome !== 'written') return outcome
      for (const { userId, to } of change.changes) if (to === null) apart.add(userId)
      return outcome
    },
  }

  const signInRules: SignInRulesRecords = {
    async replace(id, { by, from, to }) {
      const organization = partsOf(id)
      const { callerHasSecondFactor } = await factsOf(by)
      const isAsRead = JSON.stringify(organization.signInRules ?? {}) === JSON.stringify(from)
      if (!isOwner(id, by.userId) || !isAsRead) return 'conflict'
      if (to.secondFactorFrom !== undefined && !callerHasSecondFactor) return 'conflict'
      organization.signInRules = to
      return 'written'
    },
  }

  const isAsRead = ({ organizationId, name, id, status, membership }: Domain, { by }: DomainWrite) => {
    const stored = partsOf(organizationId).domains.get(name)
    const isSame = stored?.id === id && stored.status === status && stored.membership === membership
    return isSame && isOwner(organizationId, by.userId)
  }

  const domains: Domains = {
    list: async (id) => [...partsOf(id).domains.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    async add(domain, { by }) {
      const { organizationId, name } = domain
      if (!isOwner(organizationId, by.userId)) return 'conflict'
      if (partsOf(organizationId).domains.has(name)) return 'exists'
      partsOf(organizationId).domains.set(name, domain)
      return 'written'
    },
    async verify(domain, checkAt, write) {
      const { organizationId, id, name, membership } = domain
      if (!isAsRead(domain, write)) return 'conflict'
      if ((own.get(name)?.id ?? id) !== id) return 'taken'
      partsOf(organizationId).domains.set(name, { ...domain, status: 'verified' })
      partsOf(organizationId).verifiedDomains.add(name)
      own.set(name, { organizationId, id, name, membership, checkAt, failures: 0 })
      return 'written'
    },
    async setMembership(domain, membership, write) {
      if (!isAsRead(domain, write)) return 'conflict'
      partsOf(domain.organizationId).domains.set(domain.name, { ...domain, membership })
      const held = own.get(domain.name)
      if (held?.id === domain.id) own.set(domain.name, { ...held, membership })
      return 'written'
    },
    async delete(domain, write) {
      if (!isAsRead(domain, write)) return 'conflict'
      partsOf(domain.organizationId).domains.delete(domain.name)
      if (domain.status !== 'verified') return 'written'
      partsOf(domain.organizationId).verifiedDomains.delete(domain.name)
      own.delete(domain.name)
      return 'written'
    },
  }

  const isDue = ({ name, id, checkAt }: DueCheck) => own.get(name)?.id === id && own.get(name)?.checkAt === checkAt

  const checks: DomainChecks = {
    listDue: async (now) => [...own.values()].filter(({ checkAt }) => checkAt <= now),
    async find({ organizationId, name, id }) {
      const found = partsOf(organizationId).domains.get(name)
      return found?.id === id && found.status === 'verified' ? found : undefined
    },
    async postpone(due, next) {
      const { unansweredSince: _, ...held } = own.get(due.name) ?? { ...due, membership: 'none' }
      if (!isDue(due)) return 'conflict'
      own.set(due.name, { ...held, ...next })
      return 'written'
    },
    async lose(due) {
      const { domains: added, verifiedDomains } = partsOf(due.organizationId)
      const lost = added.get(due.name)
      if (!isDue(due) || lost === undefined) return 'conflict'
      added.set(due.name, { ...lost, status: 'lost' })
      verifiedDomains.delete(due.name)
      own.delete(due.name)
      return 'written'
    },
  }

  const domainMembers: DomainMembers = {
    async find(domain, userId) {
      const held = own.get(domain)
      if (held === undefined || held.membership === 'none') return undefined
      const { organizationId: id, membership } = held
      const { members } = await places.organizations.readMembers(id)
      if (partsOf(id).apart.has(userId) || members.some((member) => member.userId === userId)) return undefined
      const organization = withParts({ id, name: `Organization ${id}`, createdAt: '2026-01-15T09:00:00Z' })
      return { organization, domain, membership }
    },
    async join(offer, { userId, email }, entry) {
      const account = await deps.accounts.find(userId)
      const isTheirs = account?.user.isVerified === true && account.user.email === email
      const isOffered = (await this.find(offer.domain, userId))?.organization.id === offer.organization.id
      if (!isTheirs || !isOffered) return 'conflict'
      await addMember(offer.organization.id, userId)
      entries.push(entry)
      return 'written'
    },
    async decline({ organization }, { userId }) {
      partsOf(organization.id).apart.add(userId)
      return 'written'
    },
  }

  async function addMember(id: OrganizationId, userId: UserId): Promise<void> {
    const { members } = await places.organizations.readMembers(id)
    places.add(id, [...members.map((member) => [member.userId, member.role] as const), [userId, 'member']])
  }

  async function findProvider(id: OrganizationId) {
    const signOn = await signOns.store.find(id)
    const verified = [...(parts.get(id)?.verifiedDomains ?? [])]
    if (signOn === undefined || verified.length === 0) return undefined
    const { issuer, clientId, cipher, trustAcr } = signOn
    const name = `Organization ${id}`
    return { id, owner: id, name, issuer, clientId, cipher, trustAcr, domains: verified.toSorted() }
  }

  const companies: CompanyProviders = {
    find: findProvider,
    async findByAddress(email) {
      const held = own.get(domainOfAddress(email) ?? '')
      return held && findProvider(held.organizationId)
    },
  }

  return {
    ...{ organizations, signInRules, domains, checks, domainMembers, companies, signOns: signOns.store },
    addMember,
    requireUnrevoked,
    /** For stories without a guard: takes a domain from whoever has it. */
    freeDomain: (name: string) => void own.delete(name),
    /** Forgets who was removed, left or declined. */
    forgetApart(userId: UserId) {
      for (const { apart } of parts.values()) apart.delete(userId)
    },
    /** Forgets who enforced the sign-on. */
    forgetBreakGlass(id: OrganizationId) {
      const organization = parts.get(id)
      if (organization?.signOn) organization.signOn = { isEnforced: organization.signOn.isEnforced }
    },
    /** Founds an organization with these owners. */
    found(id: OrganizationId): void {
      const organization: CompanyParts = {
        get owners() {
          return new Set(places.ownersOf(id))
        },
        ...{ verifiedDomains: new Set<string>(), domains: new Map<string, Domain>(), apart: new Set<UserId>() },
      }
      parts.set(id, organization)
      signOns.organizations.set(id, organization)
    },
    /** The organizations that have a domain. */
    holdersOf: (domain: string) =>
      [...parts].flatMap(([id, { verifiedDomains }]) => (verifiedDomains.has(domain) ? [id] : [])),
  }
}
