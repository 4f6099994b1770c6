import type { Identity } from '../../../../lib/core/identity.ts'
import type { OrganizationId, UserId } from '../../../../lib/core/ids.ts'
import { emailKey } from '../../../../lib/users/emailKey.ts'
import { noFactors } from '../../recovery/browser.ts'
import { type CompanyBrowser, type Holder, openCompanyBrowser } from '../companyBrowser.ts'
import { createCompanyService } from '../companyService.ts'
import { BrokenPromise, type Monitor } from './brokenPromise.ts'
import { type Guard, withoutGuard } from './guards.ts'
import { browserNames, cast, companyNames } from './moves.ts'
import { type Person, ReferenceModel, type Token } from './referenceModel.ts'

/** What a person of the stories knows and has. */
export interface Own {
  userId: UserId
  password: string | undefined
  readonly factors: ReturnType<typeof noFactors>
}

/** A token, in the service and in the model. */
export interface HeldToken {
  readonly identity: Identity
  readonly told: Token
  readonly at: number
}

/** How often what came. */
export type Counts = Map<string, number>

/** Tokens that are looked at after each move. */
const TOKENS = 12

const LIVES = 30 * 24 * 3_600_000

/** Three companies with their people, in the service and in the model that tells what must become of them. */
export async function createHostileWorld({ without, counts }: { without?: Guard | undefined; counts: Counts }) {
  const service = createCompanyService({
    change: (parts) => withoutGuard(without, parts),
    checksAnswers: without !== 'a provider’s answer is checked',
    checksRules: without !== 'rules are checked at each read',
  })
  const model = new ReferenceModel(service.now())
  const own = new Map<Person, Own>()
  const ids = new Map<string, OrganizationId>()
  const browsers = new Map<string, CompanyBrowser>()
  let tokens: HeldToken[] = []
  let promises: BrokenPromise[] = []

  async function settle(name: string, domain: string): Promise<Person> {
    const email = `${name}@${domain}`
    const known = model.people.find((person) => person.email === email)
    if (known) return known
    const password = `the phrase of ${name}`
    const person = model.register(name, email)
    own.set(person, { userId: await service.register(email, password), password, factors: noFactors() })
    return person
  }

  for (const company of companyNames) {
    const members = await Promise.all(
      cast
        .filter((each) => each.company === company)
        .map(async ({ name, domain, role }) => [await settle(name, domain), role] as const),
    )
    const id = service.found(...members.flatMap(([person, role]) => (role === 'owner' ? [ownOf(person).userId] : [])))
    for (const [person, role] of members)
      if (role === 'member') await service.stores.addMember(id, ownOf(person).userId)
    ids.set(company, id)
    model.found(company, members)
  }
  for (const [index, name] of browserNames.entries())
    browsers.set(name, openCompanyBrowser(service, `198.51.100.${index}`))

  function ownOf(person: Person): Own {
    const found = own.get(person)
    if (found === undefined) throw new Error(`${person.name} is a stranger`)
    return found
  }

  function found<Value>(value: Value | undefined): Value {
    if (value === undefined) throw new Error('not in this world')
    return value
  }

  return {
    ...{ service, model, own, ownOf },
    idOf: (company: string) => found(ids.get(company)),
    browser: (name: string) => found(browsers.get(name)),
    person: (index: number): Person => found(model.people[index % model.people.length]),
    holder(person: Person): Holder {
      const { password, factors } = ownOf(person)
      return { email: person.email, password, secret: factors.secrets[0] }
    },
    /** Notes who a provider has made an account for. */
    async meet(person: Person): Promise<void> {
      if (own.has(person)) return
      const account = await service.deps.accounts.findByEmail(emailKey(person.email))
      own.set(person, { userId: found(account).user.id, password: undefined, factors: noFactors() })
    },
    hold(identity: Identity, told: Token): void {
      tokens = [...tokens, { identity, told, at: service.now() }].slice(-TOKENS)
    },
    tokens(): readonly HeldToken[] {
      tokens = tokens.filter(({ at }) => service.now() - at < LIVES)
      return tokens
    },
    /** Counts what came, so that a report shows what was played. */
    count: (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    /** Notes a promise that was broken. */
    broke(monitor: Monitor, of: ConstructorParameters<typeof BrokenPromise>[1]): void {
      promises.push(new BrokenPromise(monitor, of))
    },
    /** The promises that were broken since the last call. */
    broken(): readonly BrokenPromise[] {
      const found = promises
      promises = []
      return found
    },
    /** Brings the model to the time of the service. */
    catchUp() {
      model.now = service.now()
    },
  }
}

export type HostileWorld = Awaited<ReturnType<typeof createHostileWorld>>
