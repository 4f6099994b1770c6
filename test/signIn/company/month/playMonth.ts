import { checkDomains } from '../../../../lib/organizations/domains/checkDomains.ts'
import { proofNameOf } from '../../../../lib/organizations/domains/domainName.ts'
import { getOrganization } from '../../../../lib/organizations/getOrganization.ts'
import { leaveOrganization } from '../../../../lib/organizations/members/leaveOrganization.ts'
import { removeMember } from '../../../../lib/organizations/members/removeMember.ts'
import { backchannelLogout } from '../../../../lib/signIn/provider/backchannelLogout.ts'
import { emailKey } from '../../../../lib/users/emailKey.ts'
import { createCompanyService, outcomeOf } from '../companyService.ts'
import { calendar, careers, DAY, type Event, HOUR, type Incident, MINUTE, type Size } from './calendar.ts'
import { type Device, openDevice } from './employee.ts'
import { Expectations } from './expectations.ts'
import { DOMAIN, foundCompany, ISSUER } from './foundCompany.ts'

/** What came of a month: how often what, and everything that no rule explains. */
export interface Month {
  readonly figures: Readonly<Record<string, number>>
  readonly unexplained: readonly string[]
}

/** What is left out of the service, to show that the month notices it. */
export type MonthBreakage = Parameters<typeof createCompanyService>[0]

/** Plays a month of a company whose members must use its single sign-on. */
export async function playMonth(size: Size, breakage: MonthBreakage = {}): Promise<Month> {
  const service = createCompanyService(breakage)
  const { deps, providers, dns, now, stores } = service
  const begin = Math.floor(now() / DAY) * DAY
  const time = () => now() - begin
  const figures = new Map<string, number>()
  const unexplained: string[] = []
  const count = (what: string) => figures.set(what, (figures.get(what) ?? 0) + 1)

  function compare(what: string, { came, expected }: { came: string; expected: string }): boolean {
    count(`${what}: ${came}`)
    if (came === expected) return true
    unexplained.push(`${new Date(now()).toISOString()} ${what}: ${came}, and not ${expected}`)
    return false
  }

  const { organizationId, proof, boss, saveSecret } = await foundCompany(service, begin)
  const people = careers(size)
  const told = people.map((person) => new Expectations(person))
  const devices = people.map((person, index) =>
    openDevice(service, person, { organizationId, ip: `198.51.${100 + (index >> 8)}.${index & 255}` }),
  )
  const disabled = new Set<number>()
  /** Whose identity at the provider has an account. */
  const linked = new Set<number>()
  let isDown = false

  for (const [who, { email, password, factor }] of people.entries()) {
    if (password === undefined) continue
    await stores.addMember(organizationId, await service.register(email, password))
    const expected = at(told, who)
    expected.isMember = true
    if (factor === 'own') expected.hasApp = await at(devices, who).addApp()
  }

  /** An employee's application works until it is served, or until a refusal that only others can mend. */
  async function work(who: number): Promise<void> {
    const [device, expected] = [at(devices, who), at(told, who)]
    if (!device.hasTokens() && !(await signIn(device, who))) return
    if (device.isStale()) {
      const isFresh = compare('refresh', { came: await device.refresh(), expected: expected.refreshed(time()) })
      if (!isFresh || !device.hasTokens()) return work(who)
    }
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const { code: came, asks = {} } = await device.request()
      if (!compare('request', { came, expected: expected.answer(time()) })) return
      if (came === 'served' || came === 'organization_not_found') return
      if (came === 'second_factor_required') expected.hasApp = await device.addApp()
      else if (!(await signIn(device, who, came === 'invalid_token' ? {} : asks))) return
    }
    compare('work', { came: 'in a circle', expected: 'served' })
  }

  async function signIn(device: Device, who: number, asks: Readonly<Record<string, string>> = {}): Promise<boolean> {
    const expected = isDown ? 'unreachable' : disabled.has(who) ? 'denied' : 'in'
    const came = await device.signIn(asks, { isDenied: disabled.has(who) })
    compare('sign-in', { came, expected })
    if (came !== 'in') return false
    const isByPassword = !linked.has(who) && at(people, who).password !== undefined
    // An employee who is new to the service joins by the domain.
    if (!linked.has(who)) at(told, who).isMember = true
    linked.add(who)
    // The provider names a sign-in of the morning, which counts as older than what needs a recent one.
    const age = isByPassword || 'max_age' in asks ? 0 : 11 * MINUTE
    at(told, who).signedIn({ at: time() - age, now: time() })
    return true
  }

  async function logOut(who: number): Promise<void> {
    const token = providers.logoutToken(ISSUER, { subject: at(people, who).subject })
    const came = await outcomeOf(() => backchannelLogout(deps, { organizationId, token }))
    compare('logout', { came, expected: isDown ? 'service_unavailable' : 'served' })
    if (came === 'served') at(told, who).loggedOut()
  }

  async function leave(who: number, how: 'removed' | 'signed out' | 'leaves'): Promise<void> {
    if (how === 'signed out') {
      disabled.add(who)
      return logOut(who)
    }
    await work(who)
    const member = at(told, who)
    const isServed = member.answer(time()) === 'served'
    if (how === 'leaves' && isServed) {
      const leaving = { organizationId, caller: at(devices, who).caller() }
      compare('leave', { came: await outcomeOf(() => leaveOrganization(deps, leaving)), expected: 'served' })
    } else if (member.isMember) {
      await boss.comeIn()
      const memberId = (await deps.accounts.findByEmail(emailKey(at(people, who).email)))?.user.id ?? boss.userId
      compare('removal', {
        came: await boss.call((caller) => removeMember(deps, { organizationId, caller, memberId })),
        expected: 'done',
      })
    }
    member.isMember = false
  }

  const befalls: Record<Incident, () => void | Promise<void>> = {
    'provider down': () => setDown(true),
    'provider up': () => setDown(false),
    async 'break-glass owner signs in'() {
      compare('break-glass sign-in', { came: await boss.comeIn(), expected: 'in' })
      const came = await boss.call((caller) => getOrganization(deps.organizations, { organizationId, caller }))
      compare('break-glass request', { came, expected: 'done' })
    },
    'new key': () => providers.rotateKey(ISSUER),
    'old key retired': () => providers.retireKeys(ISSUER),
    'new secret at the provider': () => providers.addSecret(ISSUER, 'new secret'),
    async 'new secret saved'() {
      await boss.comeIn()
      compare('new secret', { came: await boss.call(saveSecret('new secret')), expected: 'done' })
    },
    'old secret retired': () => providers.retireSecrets(ISSUER),
    'name servers silent': () => dns.set(proofNameOf(DOMAIN), { values: [], fails: true }),
    'name servers answer': () => dns.set(proofNameOf(DOMAIN), { values: [proof], fails: false }),
    'record missing': () => dns.set(proofNameOf(DOMAIN), { values: [], fails: false }),
    'record back': () => dns.set(proofNameOf(DOMAIN), { values: [proof], fails: false }),
  }

  function setDown(down: boolean): void {
    isDown = down
    providers.setDown(ISSUER, down)
  }

  async function happen(event: Event): Promise<void> {
    if (event.kind === 'request') return work(event.who)
    if (event.kind === 'evening') return at(people, event.who).keepsTokens ? undefined : at(devices, event.who).close()
    if (event.kind === 'logout') return logOut(event.who)
    if (event.kind === 'leaving') return leave(event.who, event.how)
    count(event.kind)
    return befalls[event.kind]()
  }

  let checked = 0
  for (const event of calendar(size, people)) {
    for (; checked * DAY + 12 * HOUR <= event.at; checked += 1) {
      service.wait(Math.max(0, checked * DAY + 12 * HOUR - time()))
      const report = await checkDomains(service.checkDeps, Number.POSITIVE_INFINITY)
      for (const [what, times] of Object.entries(report)) if (times > 0) count(`domain check: ${what}`)
    }
    service.wait(Math.max(0, event.at - time()))
    await happen(event)
  }
  return { figures: Object.fromEntries([...figures].toSorted()), unexplained }
}

function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index]
  if (value === undefined) throw new Error('nobody')
  return value
}
