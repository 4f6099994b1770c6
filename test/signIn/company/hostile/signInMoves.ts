import { OAuthError } from '../../../../lib/oauth/errors.ts'
import { backchannelLogout } from '../../../../lib/signIn/provider/backchannelLogout.ts'
import { exchangeCode } from '../companyBrowser.ts'
import { identityIn, requestOf } from '../companyService.ts'
import type { Assertion } from '../scriptedProviders.ts'
import type { Monitor } from './brokenPromise.ts'
import type { HostileWorld } from './hostileWorld.ts'
import { companyNames, type Move } from './moves.ts'
import type { SignedOn } from './referenceModel.ts'

type MoveOf<Kind extends Move['kind']> = Extract<Move, { kind: Kind }>

export async function signInByPassword(world: HostileWorld, { who, browser }: MoveOf<'sign in'>): Promise<void> {
  const person = world.person(who)
  const came = await world.browser(browser).signIn(world.holder(person))
  world.catchUp()
  const expected = world.model.signInByPassword(browser, person) ? 'signed_in' : 'refused'
  if (came !== expected)
    world.broke('an operation answers as the contract says', { came, expected, where: `${person.name} signs in` })
}

/** Whoever runs a company's provider says of the person at a browser whatever they like. */
export async function signOn(world: HostileWorld, move: MoveOf<'sign on'>): Promise<void> {
  const { service, model } = world
  const by = world.person(move.by)
  const company = move.company ?? model.holderOf(by.email.split('@')[1] ?? '') ?? 'evil'
  const said: Assertion = {
    subject: `s${move.subject ?? model.people.indexOf(by)}`,
    email: addressOf(world, move, by.email),
    ...{ isEmailVerified: move.isEmailVerified, hasTwoFactors: move.hasTwoFactors, forged: move.forged },
    signedInAt: move.isRecent ? service.now() : undefined,
  }
  const issuer = model.company(company).signOn?.issuer ?? ''
  const browser = world.browser(move.browser)
  const step = await browser.signOn(world.idOf(company), said)
  const expected = model.signOn(move.browser, company, said, move.finishes ? by : undefined)
  if (typeof expected === 'object') await world.meet(expected.person)
  const where = `${said.email} as ${said.subject} by ${company}, at the browser of ${by.name}`
  const came = step.step === 'failed' ? step.problem : step.step
  const isPending = step.step === 'pending'
  world.count(`sign on: ${came}`)
  const shown =
    isPending && move.finishes && typeof expected === 'object' && expected.person === by
      ? await browser.showFactor(world.holder(by), '')
      : came
  world.catchUp()
  const session = await browser.session()
  const user = shown === 'signed_in' ? session?.user.email : undefined
  const told = typeof expected === 'object' ? expected.kind : expected
  const toldUser = typeof expected === 'object' && expected.kind === 'signed_in' ? expected.person.email : undefined
  if (shown !== told || user !== toldUser)
    world.broke(monitorOf(expected, shown), { came: [shown, user], expected: [told, toldUser], where })
  if (expected === 'connect') await connect(world, move, { company, issuer, subject: said.subject, by })
}

function addressOf({ person }: HostileWorld, { address }: MoveOf<'sign on'>, own: string): string {
  if (address === undefined) return own
  return typeof address === 'number' ? person(address).email : `new@${address}`
}

/** What an unexpected sign-in breaks. */
function monitorOf(expected: SignedOn, came: string): Monitor {
  if (came !== 'signed_in' && came !== 'pending' && came !== 'connect') return 'nobody is refused without a reason'
  if (expected === 'foreign_address') return 'a provider vouches for its own verified domains alone'
  if (expected === 'answer_refused') return 'an answer that is not the provider’s opens nothing'
  return 'nobody gets in without a proof that the account accepts'
}

/** The person at the browser confirms, with what they can show, to which account the identity belongs. */
async function connect(
  world: HostileWorld,
  { browser }: MoveOf<'sign on'>,
  {
    company,
    by,
    ...identity
  }: { company: string; issuer: string; subject: string; by: ReturnType<HostileWorld['person']> },
): Promise<void> {
  const { model } = world
  const session = model.sessionIn(browser)
  const mustSignIn =
    session === undefined || (model.speaksFor(company, session.person.email) && !model.isRecent(browser))
  const came = await world.browser(browser).connect(world.holder(by))
  world.catchUp()
  const isRefused = mustSignIn && !model.signInByPassword(browser, by)
  const expected = isRefused ? 'sign_in' : model.connect(browser, company, identity)
  world.count(`connect: ${came}`)
  if (came !== expected)
    world.broke('nobody gets in without a proof that the account accepts', {
      came,
      expected,
      where: `${by.name} connects ${company}`,
    })
}

/** A sign-in by a provider that waited is finished, perhaps after the provider has signed its person out. */
export async function finish(world: HostileWorld, { browser, isSignedOut }: MoveOf<'finish'>): Promise<void> {
  const pending = world.model.pendingIn(browser)
  if (pending === undefined) return
  const { person, subject } = pending
  const company = companyNames.find((name) => name === pending.sso)
  if (isSignedOut && company !== undefined) {
    world.service.wait(60_000)
    world.catchUp()
    const whose = { company, subject: Number(subject.slice(1)) }
    await logOut(world, { kind: 'log out', ...whose, isAgain: false, forged: undefined })
  }
  const expected = world.model.finish(browser)
  const step = await world.browser(browser).showFactor(world.holder(person), '')
  const came = step === 'signed_in' ? step : 'refused'
  world.catchUp()
  world.count(`finish: ${came}`)
  if (came === expected) return
  const monitor =
    came === 'signed_in' ? 'who has left has no access at the next request' : 'nobody is refused without a reason'
  world.broke(monitor, { came, expected, where: `${person.name} finishes a sign-in` })
}

export async function getTokens(world: HostileWorld, { browser }: MoveOf<'get tokens'>): Promise<void> {
  const step = await world.browser(browser).authorize(requestOf({ prompt: 'none' }))
  const tokens = await exchangeCode(world.service, step)
  const told = world.model.issueTokens(browser)
  const [came, expected] = [tokens !== undefined, told !== undefined]
  if (came !== expected) {
    const monitor = came ? 'who has left has no access at the next request' : 'nobody is refused without a reason'
    world.broke(monitor, { came, expected, where: `tokens in browser ${browser}` })
  }
  if (tokens && told) world.hold(identityIn(tokens.accessToken), told)
}

/** The last logout token of each company. */
const lastLogouts = new WeakMap<HostileWorld, Map<string, { token: string; issuer: string }>>()

/** Somebody sends a logout token, forged or not, for the first or the second time. */
export async function logOut(world: HostileWorld, move: MoveOf<'log out'>): Promise<void> {
  const { service, model } = world
  const { company, forged } = move
  const issuer = model.company(company).signOn?.issuer ?? 'https://idp.evil.example'
  const sent = lastLogouts.get(world) ?? new Map<string, { token: string; issuer: string }>()
  lastLogouts.set(world, sent)
  const last = move.isAgain ? sent.get(company) : undefined
  const subject = `s${move.subject}`
  const token = last?.token ?? service.providers.logoutToken(issuer, { subject, forged })
  const isGood = last === undefined && forged === undefined && model.hasProvider(company)
  const came = await acceptsLogout(world, company, token)
  if (came && last === undefined) sent.set(company, { token, issuer })
  if (isGood) model.logOut(company, subject)
  world.count(`log out: ${came}`)
  if (came !== isGood)
    world.broke('a logout ends only what it is about', {
      came,
      expected: isGood,
      where: `logout of ${subject} by ${company}`,
    })
}

async function acceptsLogout({ service, idOf }: HostileWorld, company: string, token: string): Promise<boolean> {
  try {
    await backchannelLogout(service.deps, { organizationId: idOf(company), token })
    return true
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_request') return false
    throw error
  }
}
