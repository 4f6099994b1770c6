import type { Identity } from '../../../../lib/core/identity.ts'
import { digestSecret } from '../../../../lib/oauth/secretDigest.ts'
import { changeSignInRules } from '../../../../lib/organizations/admission/changeSignInRules.ts'
import { readAuthorized } from '../../../../lib/organizations/authorizeMember.ts'
import { addDomain } from '../../../../lib/organizations/domains/addDomain.ts'
import { changeDomain } from '../../../../lib/organizations/domains/changeDomain.ts'
import { checkDomains } from '../../../../lib/organizations/domains/checkDomains.ts'
import { deleteDomain } from '../../../../lib/organizations/domains/deleteDomain.ts'
import { proofNameOf } from '../../../../lib/organizations/domains/domainName.ts'
import { offerIdOf } from '../../../../lib/organizations/domains/joinByDomain.ts'
import { verifyDomain } from '../../../../lib/organizations/domains/verifyDomain.ts'
import { acceptReceivedInvitation } from '../../../../lib/organizations/invitations/acceptInvitation.ts'
import { changeMemberRole } from '../../../../lib/organizations/members/changeMemberRole.ts'
import { leaveOrganization } from '../../../../lib/organizations/members/leaveOrganization.ts'
import { removeMember } from '../../../../lib/organizations/members/removeMember.ts'
import { deleteSignOn } from '../../../../lib/organizations/signOn/deleteSignOn.ts'
import { saveSignOn } from '../../../../lib/organizations/signOn/saveSignOn.ts'
import { changePassword } from '../../../../lib/users/password/changePassword.ts'
import { linkDigestSchema } from '../../../../lib/users/ports.ts'
import { openBrowser } from '../../recovery/browser.ts'
import { outcomeOf } from '../companyService.ts'
import type { Monitor } from './brokenPromise.ts'
import type { HeldToken, HostileWorld } from './hostileWorld.ts'
import { companyNames, type Move } from './moves.ts'

type MoveOf<Kind extends Move['kind']> = Extract<Move, { kind: Kind }>

const HOUR = 3_600_000
/** Before every story. */
const LONG_AGO = Date.UTC(2026, 0, 1)

/** Most often a token that an owner may use. */
function chosen(world: HostileWorld, index: number, company: string): HeldToken | undefined {
  const all = world.tokens()
  const owners = all.filter(({ told }) => world.model.answerToOwner(told, company) === 'served')
  const some = index % 5 === 0 || owners.length === 0 ? all : owners
  return some[index % Math.max(1, some.length)]
}

function compare(world: HostileWorld, [came, expected]: [string, string], where: string): void {
  const monitor: Monitor =
    came === 'served' ? 'an operation answers as the contract says' : 'nobody is refused without a reason'
  if (came !== expected) world.broke(monitor, { came, expected, where })
}

/** Runs what an owner does in the service, and tells the model, which says whether the owner may. */
async function asOwner(
  world: HostileWorld,
  { kind, token, company }: { kind: string; token: number; company: string },
  { run, tell, where }: { run: (caller: Identity) => Promise<unknown>; tell: () => string; where: string },
): Promise<void> {
  const held = chosen(world, token, company)
  if (held === undefined) return
  const may = world.model.answerToOwner(held.told, company)
  const came = await outcomeOf(() => run(held.identity))
  world.count(`${kind}: ${came}`)
  compare(world, [came, may === 'served' ? tell() : may], `${held.told.person.name} at ${company}: ${where}`)
}

export async function changeDomains(world: HostileWorld, move: MoveOf<'domain'>): Promise<void> {
  const { model, service } = world
  const { company, domain, what } = move
  const organizationId = world.idOf(company)
  const { deps } = service
  await asOwner(world, move, {
    where: `${what} ${domain}`,
    async run(caller) {
      const request = { organizationId, caller }
      if (what === 'add') return addDomain(deps, { ...request, name: domain })
      const id = (await service.stores.domains.list(organizationId)).find(({ name }) => name === domain)?.id ?? 'none'
      if (what === 'verify') return verifyDomain(deps, { ...request, id })
      if (what === 'delete') return deleteDomain(deps, { ...request, id })
      return changeDomain(deps, { ...request, id, membership: what })
    },
    tell() {
      if (what === 'add') model.addDomain(company, domain)
      if (what === 'add') return 'served'
      if (what === 'verify') return model.verifyDomain(company, domain)
      if (what === 'delete') return model.deleteDomain(company, domain)
      const added = model.domainsOf(company).get(domain)
      if (added) added.membership = what
      return added ? 'served' : 'domain_not_found'
    },
  })
}

/** Whoever runs the zone of a domain publishes the proof of a company, or none. */
export async function publish(
  world: HostileWorld,
  { domain, company }: Pick<MoveOf<'publish'>, 'domain' | 'company'>,
): Promise<void> {
  const added = company === undefined ? [] : await world.service.stores.domains.list(world.idOf(company))
  const values = added.flatMap(({ name, proof }) => (name === domain ? [proof] : []))
  world.service.dns.set(proofNameOf(domain), { values, fails: false })
  world.model.publish(domain, company)
}

/** A company takes over a domain in the regular way, as far as one of its owners may. */
export async function acquire(world: HostileWorld, move: MoveOf<'acquire'>): Promise<void> {
  const { domain, company, membership, isAgreed } = move
  const change = { kind: 'domain', token: 1, company, domain } as const
  const holder = companyNames.find((name) => name === world.model.holderOf(domain))
  if (isAgreed && holder !== undefined) await changeDomains(world, { ...change, company: holder, what: 'delete' })
  await changeDomains(world, { ...change, what: 'add' })
  await publish(world, { domain, company })
  await changeDomains(world, { ...change, what: 'verify' })
  await changeDomains(world, { ...change, what: membership })
}

export async function changeSignOn(world: HostileWorld, move: MoveOf<'sign-on'>): Promise<void> {
  const { model, service, idOf } = world
  const { company, issuer, trustAcr, isEnforced, isDeleted } = move
  const request = { organizationId: idOf(company) }
  const settings = { issuer, clientId: 'service', clientSecret: 'secret', isEnforced, trustAcr }
  const by = chosen(world, move.token, company)?.told.person
  await asOwner(world, move, {
    where: isDeleted ? 'deletes the sign-on' : `sign-on at ${issuer}`,
    run: (caller) =>
      isDeleted
        ? deleteSignOn(service.deps, { ...request, caller })
        : saveSignOn(service.deps, { ...request, caller, settings }),
    tell() {
      const told = model.company(company)
      if (isDeleted && told.signOn === undefined) return 'sso_not_found'
      if (!isDeleted && model.verifiedDomainsOf(company).length === 0) return 'domain_required'
      const breakGlass = isEnforced ? by : undefined
      told.signOn = isDeleted ? undefined : { issuer, trustAcr, isEnforced, breakGlass }
      return 'served'
    },
  })
}

export async function changeRules(world: HostileWorld, move: MoveOf<'rules'>): Promise<void> {
  const { model, service, idOf } = world
  const { company, mustHaveFactor, maxDays } = move
  const by = chosen(world, move.token, company)?.told
  const change = { secondFactorFrom: mustHaveFactor ? LONG_AGO : null, maxSessionDays: maxDays ?? null }
  await asOwner(world, move, {
    where: `rules ${JSON.stringify(change)}`,
    run: (caller) => changeSignInRules(service.deps, { organizationId: idOf(company), caller, change }),
    tell() {
      const told = model.company(company)
      if (told.mustHaveFactor === mustHaveFactor && told.maxDays === maxDays) return 'served'
      if (by === undefined || (mustHaveFactor && !by.person.hasFactor)) return 'second_factor_required'
      const answer = model.answerTo(by, company, { mustHaveFactor, maxDays })
      if (answer === 'served') Object.assign(told, { mustHaveFactor, maxDays })
      return answer
    },
  })
}

export async function changeRoles(world: HostileWorld, move: MoveOf<'role'>): Promise<void> {
  const { model, service, idOf } = world
  const { company, to } = move
  const request = { organizationId: idOf(company) }
  if (to === 'leaves') return leave(world, move)
  const member = world.person(move.member)
  const memberId = world.ownOf(member).userId
  const by = chosen(world, move.token, company)?.told
  await asOwner(world, move, {
    where: `${member.name} becomes ${to}`,
    run: (caller) =>
      to === null
        ? removeMember(service.deps, { ...request, caller, memberId })
        : changeMemberRole(service.deps, { ...request, caller, memberId, role: to }),
    tell: () => (by === undefined ? 'no owner' : model.changeRole(company, member, to)),
  })
}

async function leave(world: HostileWorld, { token, company }: MoveOf<'role'>): Promise<void> {
  const { service, model, tokens, idOf } = world
  const held = tokens()[token % Math.max(1, tokens().length)]
  if (held === undefined) return
  const { told, identity } = held
  const may = model.answerTo(told, company)
  const came = await outcomeOf(() =>
    leaveOrganization(service.deps, { organizationId: idOf(company), caller: identity }),
  )
  const expected = may === 'served' ? model.changeRole(company, told.person, null) : may
  compare(world, [came, expected], `${told.person.name} leaves ${company}`)
}

/** An owner invites somebody, who accepts. */
export async function invite(world: HostileWorld, move: MoveOf<'invite'>): Promise<void> {
  const { model, service, idOf } = world
  const { company } = move
  const member = world.person(move.member)
  const organizationId = idOf(company)
  await asOwner(world, move, {
    where: `invites ${member.name}`,
    async run(caller) {
      await readAuthorized(service.deps.organizations, { organizationId, caller }, 'manage organization')
      const isMember = model.company(company).members.has(member)
      if (!isMember) await service.stores.addMember(organizationId, world.ownOf(member).userId)
    },
    tell() {
      const { members } = model.company(company)
      members.set(member, members.get(member) ?? 'member')
      return 'served'
    },
  })
}

/** Somebody accepts what the domain of their address offers. */
export async function acceptOffer(world: HostileWorld, move: MoveOf<'accept'>): Promise<void> {
  const { service, model, tokens, idOf } = world
  const held = tokens()[move.token % Math.max(1, tokens().length)]
  if (held === undefined) return
  const { told, identity } = held
  const [, domain = ''] = told.person.email.split('@')
  const company = move.company ?? model.holderOf(domain) ?? 'evil'
  const id = offerIdOf({ organization: { id: idOf(company) } as never, domain, membership: 'offer' })
  const isLive = model.answerTo(told, company) !== 'invalid_token'
  const isOffered = isLive && model.isOffered(told.person, company)
  const came = await outcomeOf(() => acceptReceivedInvitation(service.deps, { caller: identity, id }))
  world.count(`accept: ${came}`)
  const expected = isOffered ? 'served' : isLive ? 'invitation_not_found' : 'invalid_token'
  if (isOffered) model.company(company).members.set(told.person, 'member')
  const monitor: Monitor =
    came === 'served' ? 'who has left has no access at the next request' : 'nobody is refused without a reason'
  if (came !== expected)
    world.broke(monitor, { came, expected, where: `${told.person.name} accepts the offer of ${company}` })
}

/** Adds an authenticator app, if the person has none. */
export async function addFactor(world: HostileWorld, { who }: MoveOf<'add factor'>): Promise<void> {
  const person = world.person(who)
  const { password, factors } = world.ownOf(person)
  if (person.hasFactor || password === undefined) return
  const browser = openBrowser(world.service.asService)
  await browser.signIn(person.email, password)
  person.hasFactor = await browser.addTotp(factors)
}

export async function newPassword(world: HostileWorld, { token }: MoveOf<'new password'>): Promise<void> {
  const all = world.tokens()
  const held = all[token % Math.max(1, all.length)]
  if (held === undefined) return
  const own = world.ownOf(held.told.person)
  if (own.password === undefined || world.model.answerTo(held.told, 'acme') === 'invalid_token') return
  const next = `${own.password} again`
  const change = { currentPassword: own.password, newPassword: next, language: 'en' } as const
  await changePassword(world.service.deps, held.identity, change)
  own.password = next
  world.model.changePassword(held.told)
}

/** Moves the address of an account, as the mailed link does. */
export async function newAddress(world: HostileWorld, { who, domain }: MoveOf<'new address'>): Promise<void> {
  const { deps, now } = world.service
  const person = world.person(who)
  const email = `${person.name.replace(' ', '-')}@${domain}`
  if (world.model.people.some((each) => each.email === email)) return
  const { userId } = world.ownOf(person)
  const account = await deps.accounts.find(userId)
  if (account === undefined) return
  const digest = linkDigestSchema.parse(digestSecret(deps.ids.secret()))
  const validUntil = now() + HOUR
  const link = { purpose: 'change_email', userId, email, securityRev: account.securityRev, validUntil } as const
  await deps.links.issue(digest, link)
  await deps.accounts.changeEmail({ digest, link, user: account.user, now: now() }, [])
  world.model.moveAddress(person, email)
}

/** Time goes by, with the check of domains in each hour that has one. */
export async function wait({ service, model, catchUp }: HostileWorld, { hours }: MoveOf<'wait'>): Promise<void> {
  for (let left = hours; left > 0; left -= 24) {
    service.wait(Math.min(left, 24) * HOUR)
    catchUp()
    await checkDomains(service.checkDeps, Number.POSITIVE_INFINITY)
    model.checkDomains()
  }
}
