import fc from 'fast-check'
import { forgeries } from '../scriptedProviders.ts'

export const companyNames = ['acme', 'globex', 'evil'] as const
export const domainNames = ['acme.example', 'globex.example', 'evil.example', 'trade.example'] as const
export const issuers = ['https://idp.acme.example', 'https://idp.globex.example', 'https://idp.evil.example'] as const
export const browserNames = ['one', 'two', 'three', 'four', 'five'] as const

/** Who has an account from the beginning, and what they are. */
export const cast = [
  { name: 'ann', domain: 'acme.example', company: 'acme', role: 'owner' },
  { name: 'abe', domain: 'acme.example', company: 'acme', role: 'owner' },
  { name: 'mia', domain: 'acme.example', company: 'acme', role: 'member' },
  { name: 'fay', domain: 'mail.example', company: 'acme', role: 'member' },
  { name: 'gil', domain: 'globex.example', company: 'globex', role: 'owner' },
  { name: 'gus', domain: 'globex.example', company: 'globex', role: 'member' },
  { name: 'eve', domain: 'evil.example', company: 'evil', role: 'owner' },
  { name: 'mia', domain: 'acme.example', company: 'evil', role: 'member' },
] as const

const one = <const Values extends readonly unknown[]>(values: Values) => fc.constantFrom<Values[number][]>(...values)
const who = fc.nat(9)
const browser = one(browserNames)
const company = one(companyNames)
const domain = one(domainNames)
const token = fc.nat(30)
/** This value in three cases of four. */
const mostly = <Usual, Other>(usual: Usual, other: fc.Arbitrary<Other>): fc.Arbitrary<Usual | Other> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
const kind = <const Kind extends string>(name: Kind) => fc.constant(name)

/** What people, owners and providers do, each at any time and with any intent. */
const moves = {
  signIn: fc.record({ kind: kind('sign in'), who, browser }),
  signOn: fc.record({
    kind: kind('sign on'),
    ...{ by: who, browser },
    /** Undefined: the company whose domain the person's address is at. */
    company: mostly(undefined, company),
    /** Undefined: the person's own. */
    subject: mostly(undefined, fc.nat(7)),
    /** Whose address the provider says, or the address of nobody at a domain. Undefined: the person's own. */
    address: mostly(undefined, fc.oneof(who, domain)),
    isEmailVerified: mostly(true, fc.boolean()),
    hasTwoFactors: fc.boolean(),
    isRecent: fc.boolean(),
    forged: mostly(undefined, one(forgeries)),
    /** Whether `by` shows the second factor at once, if they are asked for their own. */
    finishes: fc.boolean(),
  }),
  /** The person whose sign-in waits there shows the second factor, perhaps after the provider has signed them out. */
  finish: fc.record({ kind: kind('finish'), browser, isSignedOut: fc.boolean() }),
  token: fc.record({ kind: kind('get tokens'), browser }),
  logOut: fc.record({
    kind: kind('log out'),
    ...{ company, subject: fc.nat(5), isAgain: fc.boolean() },
    forged: mostly(undefined, one(forgeries)),
  }),
  zone: fc.record({ kind: kind('publish'), domain, company: fc.option(company, { nil: undefined }) }),
  domain: fc.record({
    kind: kind('domain'),
    ...{ token, company, domain },
    what: one(['add', 'verify', 'verify', 'delete', 'none', 'offer', 'join']),
  }),
  /** A company gets a domain in the regular way, so that the rest has something to play with. */
  acquire: fc.record({
    kind: kind('acquire'),
    ...{ domain, company, membership: one(['none', 'offer', 'join']) },
    /** Whether whoever had it gives it up; else they lose it by the checks, or keep it. */
    isAgreed: fc.boolean(),
  }),
  signOnSettings: fc.record({
    kind: kind('sign-on'),
    ...{ token, company, issuer: one(issuers), trustAcr: fc.boolean(), isEnforced: fc.boolean() },
    isDeleted: mostly(false, fc.boolean()),
  }),
  rules: fc.record({
    kind: kind('rules'),
    ...{ token, company, mustHaveFactor: fc.boolean(), maxDays: one([undefined, undefined, 1]) },
  }),
  role: fc.record({ kind: kind('role'), token, company, member: who, to: one(['owner', 'member', 'leaves', null]) }),
  invite: fc.record({ kind: kind('invite'), token, company, member: who }),
  /** Undefined: the company whose domain the person's address is at. */
  accept: fc.record({ kind: kind('accept'), token, company: mostly(undefined, company) }),
  factor: fc.record({ kind: kind('add factor'), who }),
  password: fc.record({ kind: kind('new password'), token }),
  address: fc.record({ kind: kind('new address'), who, domain }),
  wait: fc.record({ kind: kind('wait'), hours: one([0.1, 1, 11, 13, 30, 170, 340]) }),
}

const weights: Record<keyof typeof moves, number> = {
  ...{
    signIn: 10,
    signOn: 22,
    finish: 6,
    token: 12,
    logOut: 6,
    zone: 3,
    domain: 6,
    acquire: 5,
    signOnSettings: 9,
    rules: 4,
  },
  ...{ role: 5, invite: 2, accept: 3, factor: 2, password: 2, address: 3, wait: 6 },
}

export type Move = {
  [Name in keyof typeof moves]: (typeof moves)[Name] extends fc.Arbitrary<infer Value> ? Value : never
}[keyof typeof moves]

const isName = (name: string): name is keyof typeof moves => name in moves

/** Any move. */
export const anyMove: fc.Arbitrary<Move> = fc.oneof(
  ...Object.keys(moves)
    .filter(isName)
    .map((name) => ({ weight: weights[name], arbitrary: moves[name] as fc.Arbitrary<Move> })),
)
