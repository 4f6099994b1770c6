import type { Assertion } from '../scriptedProviders.ts'
import { DomainModel } from './domainModel.ts'

const SECOND = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const SESSION = 12 * HOUR
const RECENT = 600 * SECOND
const PENDING = 600 * SECOND

export type Role = 'owner' | 'member'

/** Somebody with an account. */
export interface Person {
  readonly name: string
  email: string
  hasPassword: boolean
  hasFactor: boolean
  /** Counts what ends sessions. */
  rev: number
  keptFamily?: number | undefined
  /** Counts new passwords and addresses. */
  credentials: number
}

/** A session in the list of its user: of a browser, over several sign-ins. */
interface Listed {
  sso?: string | undefined
  hasEnded: boolean
}

interface SignIn {
  readonly person: Person
  readonly rev: number
  readonly at: number
  readonly hasTwoFactors: boolean
  readonly sso: string | undefined
}

interface Session extends SignIn {
  readonly listed: Listed
}

export interface Token extends SignIn {
  readonly family: number
  readonly listed: Listed
}

interface Company {
  readonly members: Map<Person, Role>
  readonly apart: Set<Person>
  mustHaveFactor: boolean
  maxDays: number | undefined
  signOn?: { issuer: string; trustAcr: boolean; isEnforced: boolean; breakGlass: Person | undefined } | undefined
}

/** A sign-in by a company's provider that waits for the second factor. */
interface Pending extends SignIn {
  readonly begun: number
  readonly identity: string
  readonly subject: string
  isSignedOut: boolean
}

interface ModelBrowser {
  /** The session in its cookie, or the session that its pending sign-in replaces. */
  session?: Session | undefined
  pending?: Pending | undefined
}

/** What became of an answer of a provider. */
export type SignedOn =
  | 'unknown_provider'
  | 'answer_refused'
  | 'foreign_address'
  | 'connect'
  | { readonly kind: 'pending' | 'signed_in'; readonly person: Person }

/** What the contract promises about companies, told without the code of the service: who may do what, after all that has happened. */
export class ReferenceModel extends DomainModel {
  readonly people: Person[] = []
  readonly companies = new Map<string, Company>()
  readonly tokens: Token[] = []
  readonly #browsers = new Map<string, ModelBrowser>()
  readonly #identities = new Map<string, { person: Person; credentials: number }>()

  register(name: string, email: string): Person {
    const person = { name, email, hasPassword: true, hasFactor: false, rev: 0, credentials: 0 }
    this.people.push(person)
    return person
  }

  found(name: string, members: readonly (readonly [Person, Role])[]): void {
    this.companies.set(name, {
      members: new Map(members),
      apart: new Set(),
      mustHaveFactor: false,
      maxDays: undefined,
    })
  }

  company(name: string): Company {
    const company = this.companies.get(name)
    if (company === undefined) throw new Error(`no company ${name}`)
    return company
  }

  hasProvider(name: string): boolean {
    return this.company(name).signOn !== undefined && this.verifiedDomainsOf(name).length > 0
  }

  #isLive({ rev, family }: { rev: number; family?: number }, person: Person): boolean {
    return rev === person.rev || (family !== undefined && family === person.keptFamily)
  }

  #browser(name: string): ModelBrowser {
    const browser = this.#browsers.get(name) ?? {}
    this.#browsers.set(name, browser)
    return browser
  }

  sessionIn(name: string): Session | undefined {
    const { session, pending } = this.#browser(name)
    if (session === undefined || pending !== undefined) return undefined
    const isOver = session.listed.hasEnded || this.now >= session.at + SESSION
    return isOver || session.rev !== session.person.rev ? undefined : session
  }

  #start(name: string, signIn: SignIn): void {
    const { session: before } = this.#browser(name)
    const joins = before?.person === signIn.person && before.rev === signIn.rev && !before.listed.hasEnded
    const listed = joins ? before.listed : { hasEnded: false }
    listed.sso = signIn.sso ?? listed.sso
    this.#browsers.set(name, { session: { ...signIn, listed } })
  }

  /** The sign-in that waits in a browser for the second factor. */
  pendingIn(name: string): Pending | undefined {
    return this.#browser(name).pending
  }

  /** The person shows the second factor. */
  finish(name: string): 'signed_in' | 'refused' {
    const { pending } = this.#browser(name)
    if (pending === undefined || this.now >= pending.begun + PENDING || pending.rev !== pending.person.rev)
      return 'refused'
    if (pending.isSignedOut) this.#browsers.set(name, {})
    else this.#start(name, { ...pending, hasTwoFactors: true })
    return pending.isSignedOut ? 'refused' : 'signed_in'
  }

  signInByPassword(name: string, person: Person): boolean {
    if (!person.hasPassword) return false
    const signIn = { person, rev: person.rev, at: this.now, hasTwoFactors: false, sso: undefined }
    this.#start(name, { ...signIn, hasTwoFactors: person.hasFactor })
    return true
  }

  #identityOf(company: string, subject: string): string {
    return JSON.stringify([company, this.company(company).signOn?.issuer, subject])
  }

  /** An answer of a company's provider. `by` sits at the browser and shows their second factor; nobody does if undefined. */
  signOn(name: string, company: string, said: Assertion, by: Person | undefined): SignedOn {
    const { signOn } = this.company(company)
    if (signOn === undefined || !this.hasProvider(company)) return 'unknown_provider'
    if (said.forged !== undefined) return 'answer_refused'
    const key = this.#identityOf(company, said.subject)
    const linked = this.#identities.get(key)
    if (linked !== undefined) {
      if (!this.speaksFor(company, linked.person.email)) return 'foreign_address'
      if (linked.credentials !== linked.person.credentials) return 'connect'
      return this.#signInAtProvider(name, company, { person: linked.person, said, by })
    }
    if (!said.isEmailVerified || !this.speaksFor(company, said.email)) return 'foreign_address'
    const holder = this.people.find(({ email }) => email === said.email)
    if (holder !== undefined || this.sessionIn(name) !== undefined) return 'connect'
    const person = { ...this.register(`made ${this.people.length}`, said.email ?? ''), hasPassword: false }
    this.people.splice(-1, 1, person)
    this.#identities.set(key, { person, credentials: 0 })
    this.joinByDomain(person)
    return this.#signInAtProvider(name, company, { person, said, by })
  }

  #signInAtProvider(
    name: string,
    company: string,
    { person, said, by }: { person: Person; said: Assertion; by: Person | undefined },
  ): SignedOn {
    const hasTwoFactors = (this.company(company).signOn?.trustAcr ?? false) && said.hasTwoFactors
    const notRecent = this.now - RECENT - 60 * SECOND
    const at = Math.min(this.now, Math.max(said.signedInAt ?? notRecent, notRecent))
    const signIn = { person, rev: person.rev, at, hasTwoFactors: hasTwoFactors || person.hasFactor, sso: company }
    if (!person.hasFactor || hasTwoFactors || by === person) {
      this.#start(name, signIn)
      return { kind: 'signed_in', person }
    }
    const identity = this.#identityOf(company, said.subject)
    const { subject } = said
    this.#browser(name).pending = { ...signIn, begun: this.now, identity, subject, isSignedOut: false }
    return { kind: 'pending', person }
  }

  /** Whether the session in a browser may confirm a connection. */
  isRecent(name: string): boolean {
    const session = this.sessionIn(name)
    const isOfTenMinutes = session !== undefined && this.now - session.at <= RECENT
    return isOfTenMinutes && (session.hasTwoFactors || !session.person.hasFactor)
  }

  /** Confirms the identity of an answer for the account that is signed in. */
  connect(name: string, company: string, { subject, issuer }: { subject: string; issuer: string }): string {
    const session = this.sessionIn(name)
    if (session === undefined) return 'sign_in'
    if (!this.speaksFor(company, session.person.email)) return 'foreign_address'
    const key = JSON.stringify([company, issuer, subject])
    if ((this.#identities.get(key)?.person ?? session.person) !== session.person) return 'already_connected'
    this.#identities.set(key, { person: session.person, credentials: session.person.credentials })
    this.#start(name, { ...session, sso: company })
    return 'connected'
  }

  /** The tokens that the application gets in a browser. */
  issueTokens(name: string): Token | undefined {
    const session = this.sessionIn(name)
    if (session === undefined) return undefined
    const token = { ...session, family: this.next() }
    this.tokens.push(token)
    return token
  }

  logOut(company: string, subject: string): void {
    const identity = this.#identityOf(company, subject)
    for (const { pending } of this.#browsers.values())
      if (pending?.identity === identity && pending.begun < this.now) pending.isSignedOut = true
    const person = this.#identities.get(identity)?.person
    if (person === undefined) return
    const isOfPerson = (one: SignIn) => one.person === person
    const sessions = [...this.#browsers.values()].flatMap(({ session = [] }) => session).filter(isOfPerson)
    const tokens = this.tokens.filter(isOfPerson)
    const byIt = new Set([...sessions, ...tokens].flatMap(({ sso, listed }) => (sso === company ? [listed] : [])))
    const live = [
      ...sessions.filter(({ rev, at }) => rev === person.rev && this.now < at + SESSION),
      ...tokens.filter((token) => this.#isLive(token, person)),
    ]
    for (const { listed } of live) if (listed.sso === company || byIt.has(listed)) listed.hasEnded = true
  }

  changePassword({ person, family }: Token): void {
    person.rev += 1
    person.credentials += 1
    person.keptFamily = family
  }

  moveAddress(person: Person, email: string): void {
    person.email = email
    person.rev += 1
    person.credentials += 1
    person.keptFamily = undefined
    this.joinByDomain(person)
  }

  /** The answer to a request at an organization. */
  answerTo(token: Token, name: string, rules: Partial<Pick<Company, 'mustHaveFactor' | 'maxDays'>> = {}): string {
    const { person, sso, at, hasTwoFactors, listed } = token
    const { members, signOn, ...company } = this.company(name)
    const { mustHaveFactor, maxDays = Number.POSITIVE_INFINITY } = { ...company, ...rules }
    if (listed.hasEnded || !this.#isLive(token, person)) return 'invalid_token'
    if (!members.has(person)) return 'organization_not_found'
    const isAtDomain = this.speaksFor(name, person.email)
    const isBound = signOn?.isEnforced === true && signOn.breakGlass !== person && isAtDomain
    const isSignedOn = sso === name && isAtDomain
    const isVoid = sso === name && !isAtDomain
    const hasFactor = person.hasFactor || (isSignedOn && hasTwoFactors)
    if (mustHaveFactor && !hasFactor && (isSignedOn || !isBound)) return 'second_factor_required'
    const isOld = Math.floor(this.now / SECOND) - Math.floor(at / SECOND) > (maxDays * DAY) / SECOND
    const isMet = (!isBound || isSignedOn) && !isVoid && !isOld && (!mustHaveFactor || hasTwoFactors)
    return isMet ? 'served' : 'insufficient_user_authentication'
  }

  /** The same for what owners do. */
  answerToOwner(token: Token, name: string): string {
    const answer = this.answerTo(token, name)
    return answer === 'served' && this.company(name).members.get(token.person) !== 'owner' ? 'forbidden' : answer
  }

  changeRole(name: string, member: Person, to: Role | null): string {
    const { members, apart, signOn } = this.company(name)
    const from = members.get(member)
    if (from === undefined) return 'member_not_found'
    if (from === to) return 'served'
    if (from === 'owner' && signOn?.breakGlass === member) return 'break_glass_owner'
    const others = [...members].filter(([person, role]) => role === 'owner' && person !== member)
    if (from === 'owner' && others.length === 0) return 'last_owner'
    if (to === null) {
      members.delete(member)
      apart.add(member)
    } else members.set(member, to)
    return 'served'
  }

  isOffered(person: Person, name: string): boolean {
    const domain = person.email.slice(person.email.lastIndexOf('@') + 1)
    const { apart, members } = this.company(name)
    const isOpen = this.holderOf(domain) === name && this.domainsOf(name).get(domain)?.membership !== 'none'
    return isOpen && !apart.has(person) && !members.has(person)
  }

  joinByDomain(person: Person): void {
    const domain = person.email.slice(person.email.lastIndexOf('@') + 1)
    const name = this.holderOf(domain)
    if (name === undefined || !this.isOffered(person, name)) return
    if (this.domainsOf(name).get(domain)?.membership === 'join') this.company(name).members.set(person, 'member')
  }
}
