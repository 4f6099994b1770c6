import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startOpenIdServer } from '../../../infra/emulators/openid/startOpenIdServer.ts'
import { createCompanyProviders } from '../../../lib/adapters/dynamodb/companyProviderStore.ts'
import { createIdentities } from '../../../lib/adapters/dynamodb/identityStore.ts'
import { createProviderSignIns } from '../../../lib/adapters/dynamodb/providerSignInStore.ts'
import { createSignInProviders } from '../../../lib/adapters/dynamodb/signInProviderStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createProviderSecretCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createOpenIdClient } from '../../../lib/adapters/openid/openIdClient.ts'
import { disconnectProvider } from '../../../lib/authenticators/security/connectedProviders.ts'
import type { OrganizationId } from '../../../lib/core/ids.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { readSession } from '../../../lib/oauth/session/session.ts'
import { beginProviderSignIn } from '../../../lib/signIn/provider/beginProviderSignIn.ts'
import { connectProvider } from '../../../lib/signIn/provider/connectProvider.ts'
import { finishProviderSignIn } from '../../../lib/signIn/provider/finishProviderSignIn.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { CUSTOMER_KEY } from '../../adapters/kms/kmsTestBed.ts'
import { type FaultAt, faultyDeps, OrderedFault } from '../../organizations/deletion/faultyDeps.ts'
import { type Person, place, registeredPasskey } from '../authenticators/authenticatorTestBed.ts'
import { useSignIns } from '../secondFactor/signInBed.ts'
import { type Company, createCompany } from './companyVisits.ts'
import { client } from './providerVisits.ts'

const { bed, deps: signInDeps, newBrowser, send, forms, sessionsOf } = useSignIns()
const table = tables.accounts.localName
const people: { subject: string; email: string; name: string; isEmailVerified: boolean }[] = []
const counted = [
  ...(['providers', 'companies', 'providerSignIns', 'openId', 'providerCipher', 'identities', 'domains'] as const),
  ...(['accounts', 'authenticators', 'sessions', 'pendingSignIns', 'browserKeys', 'browsers', 'mailer'] as const),
  'connections' as const,
]

let provider: Awaited<ReturnType<typeof startOpenIdServer>>
beforeAll(async () => {
  provider = await startOpenIdServer({ client, people, now: bed.clock.now })
  const { clientId, clientSecret } = client
  const cipher = await providerCipher().encrypt('operator', clientSecret)
  const registered = {
    id: 'acme',
    name: 'Acme',
    issuer: provider.issuer,
    clientId,
    cipher,
    trustAcr: false,
    createdAt: 0,
  }
  await createSignInProviders(bed.documents(), table).put(registered)
})
afterAll(() => provider.close())

const providerCipher = () => createProviderSecretCipher({ client: bed.kms.client(), keyId: CUSTOMER_KEY })
const identities = () => createIdentities(bed.documents(), table)
const userOf = async (subject: string, organizationId?: OrganizationId) =>
  (await identities().find({ issuer: provider.issuer, subject, organizationId }))?.userId

/** A company of the people at this domain, with the same provider as its single sign-on. */
const companyAt = (domain: string) =>
  createCompany(
    {
      ...{ documents: bed.documents(), table: tables.billing.localName, client, at: bed.clock.now() },
      kms: { endpoint: bed.kms.server().endpoint, keyId: CUSTOMER_KEY },
    },
    { issuer: provider.issuer, domain },
  )

/** The real stores and the real client of a provider over the wire, of which any call can be made to fail. */
function deps(fault?: FaultAt) {
  const { clock } = bed
  const stores = {
    ...{ ...signInDeps().deps, ...bed.deps() },
    accounts: bed.accounts(),
    providers: createSignInProviders(bed.documents(), table),
    companies: createCompanyProviders(bed.documents(), tables.billing.localName),
    providerSignIns: createProviderSignIns(bed.documents(), table),
    identities: identities(),
    openId: createOpenIdClient({
      ...{ destinations: 'public_or_loopback' as const, resolveHost: async () => ['127.0.0.1'], clock },
    }),
    providerCipher: providerCipher(),
    domains: { join: async () => {} },
    browsers: { name: async () => 'Firefox on Linux' },
    issuer: place.origin,
  }
  const { deps: all, calls } = faultyDeps(stores, fault, counted)
  const composed = { nameBrowser: () => all.browsers.name(), joinByDomain: () => all.domains.join() }
  return { deps: { ...all, ...composed }, calls }
}
type Deps = ReturnType<typeof deps>['deps']

/** Somebody at the provider, with this address. The name is nobody else's: a name that is taken would cost another call. */
function at(email = `${randomUUID()}@example.com`): string {
  const subject = randomUUID()
  people.push({ subject, email, name: `u ${subject.slice(0, 8)}`, isEmailVerified: true })
  return subject
}

const begin = (over: Deps, providerId = 'acme') =>
  beginProviderSignIn(over, { providerId, returnTo: { page: 'authorize', query: 'client_id=c' } })

/** The browser of somebody who comes back from the provider. */
async function returning(subject: string, providerId?: string) {
  const begun = await begin(deps().deps, providerId)
  if (begun.step !== 'go') throw new Error(begun.problem)
  const answer = await fetch(`${begun.url}&person=${subject}`, { redirect: 'manual' })
  const query = new URL(answer.headers.get('location') ?? '').search.slice(1)
  const from = { userAgent: 'Mozilla/5.0', language: 'en' as const, cookie: undefined }
  return { query, providerSecret: begun.secret, secret: newBrowser().cookie, from, digestRequest: digestSecret }
}

/** A user who has connected somebody at the provider. */
async function linked(prepare: (ada: Person) => Promise<unknown> = async () => undefined) {
  const ada = await bed.person()
  await prepare(ada)
  const subject = at()
  const account = await bed.accounts().find(ada.userId)
  if (account === undefined) throw new Error('no account')
  const identity = { issuer: provider.issuer, subject, providerId: 'acme' }
  expect(await identities().link(account, identity, bed.clock.now())).toBe('linked')
  return { ada, subject }
}

/** Something a user does, of which every call is made to fail. `run` may be done again with what is left. */
interface Scene {
  readonly run: (over: Deps) => Promise<string>
  /** From the beginning. */
  readonly startOver: () => Promise<string>
  /** What holds after any fault, and after another try. */
  readonly check: () => Promise<void>
}

async function returnOf(subject: string, check: Scene['check'], providerId?: string): Promise<Scene> {
  const browser = await returning(subject, providerId)
  const step = async (over: Deps, from = browser) => (await finishProviderSignIn(over, from)).step
  return {
    run: (over) => step(over),
    startOver: async () => step(deps().deps, await returning(subject, providerId)),
    check,
  }
}

/** A session that has just signed in, beside an identity that waits for it. */
async function waiting(of: (email: string) => Promise<string | undefined> = async () => undefined) {
  const [ada, browser] = [await bed.person(), newBrowser()]
  await send(browser, forms.password(ada.email))
  const session = await readSession(deps().deps, browser.cookie)
  const providerId = await of(ada.email)
  const subject = at(ada.email)
  const back = async () => {
    const returned = await returning(subject, providerId)
    await finishProviderSignIn(deps().deps, { ...returned, secret: browser.cookie })
    return returned.providerSecret
  }
  return { ada, subject, session, back, sessionSecret: browser.cookie }
}

const starts = ['browserKeys.current', 'pendingSignIns.end', 'browsers.name', 'sessions.find', 'sessions.start']
const started = [...starts, 'sessions.end', 'accounts.find', 'mailer.send']
const exchanged = [
  'providerSignIns.end',
  'providers.find',
  'providerCipher.decrypt',
  'openId.exchange',
  'identities.find',
]

const exchangedByCompany = exchanged.map((call) => (call === 'providers.find' ? 'companies.find' : call))

const scenes: Readonly<Record<string, { prepare: () => Promise<Scene>; calls: readonly string[]; done: string }>> = {
  'The start at a provider': {
    async prepare() {
      const run = async (over: Deps) => (await begin(over)).step
      return { run, startOver: () => run(deps().deps), check: async () => undefined }
    },
    calls: ['providers.find', 'openId.authorizationUrl', 'providerSignIns.begin'],
    done: 'go',
  },
  'The return of a new person': {
    async prepare() {
      const email = `${randomUUID()}@example.com`
      const subject = at(email)
      return returnOf(subject, async () => {
        const [userId, account] = [await userOf(subject), await bed.accounts().findByEmail(emailKey(email))]
        expect(account?.user.id).toBe(userId)
        if (userId) expect((await sessionsOf(userId)).every((methods) => methods === '')).toBe(true)
      })
    },
    calls: [
      ...[...exchanged, 'sessions.find', 'accounts.findByEmail', 'identities.create', 'domains.join', 'accounts.find'],
      ...started,
    ],
    done: 'signed_in',
  },
  'The return of a known person': {
    async prepare() {
      const { ada, subject } = await linked()
      return returnOf(subject, async () => {
        expect(await userOf(subject)).toBe(ada.userId)
        expect((await sessionsOf(ada.userId)).every((methods) => methods === '')).toBe(true)
      })
    },
    calls: [...exchanged, 'accounts.find', ...started],
    done: 'signed_in',
  },
  'The return of a person with a second factor': {
    async prepare() {
      const { ada, subject } = await linked((person) => registeredPasskey(bed.deps(), person))
      return returnOf(subject, async () => expect(await sessionsOf(ada.userId)).toEqual([]))
    },
    calls: [
      ...[...exchanged, 'accounts.find', 'browserKeys.current', 'authenticators.list'],
      ...['pendingSignIns.end', 'pendingSignIns.begin'],
    ],
    done: 'pending',
  },
  'The return of an identity without an account': {
    async prepare() {
      const { email } = await bed.person()
      const subject = at(email)
      return returnOf(subject, async () => expect(await userOf(subject)).toBeUndefined())
    },
    calls: [...exchanged, 'sessions.find', 'accounts.findByEmail', 'providerSignIns.begin'],
    done: 'connect',
  },
  'The return of a new person of a company': {
    async prepare() {
      const email = `somebody@${randomUUID()}.example`
      const [subject, { id }] = [at(email), await companyAt(email.split('@')[1] ?? '')]
      const check = async () => {
        const [userId, account] = [await userOf(subject, id), await bed.accounts().findByEmail(emailKey(email))]
        expect(account?.user.id).toBe(userId)
        expect(await userOf(subject)).toBeUndefined()
      }
      return returnOf(subject, check, id)
    },
    calls: [
      ...[...exchangedByCompany, 'sessions.find', 'accounts.findByEmail', 'identities.create', 'domains.join'],
      ...['accounts.find', ...started],
    ],
    done: 'signed_in',
  },
  'The return of a person with an address of another domain': {
    async prepare() {
      const subject = at()
      const { id } = await companyAt(`${randomUUID()}.example`)
      return returnOf(subject, async () => expect(await userOf(subject, id)).toBeUndefined(), id)
    },
    calls: exchangedByCompany,
    done: 'failed',
  },
  'The connection of a company’s identity': {
    async prepare() {
      let company: Company | undefined
      const all = await waiting(async (email) => {
        company = await companyAt(email.split('@')[1] ?? '')
        return company.id
      })
      const { ada, subject, session, back, sessionSecret } = all
      const secret = await back()
      const sent = { sessionSecret, language: 'en' as const }
      const run = async (over: Deps) => (await connectProvider(over, session, { ...sent, secret })).step
      const startOver = async () =>
        (await connectProvider(deps().deps, session, { ...sent, secret: await back() })).step
      const check = async () => expect([undefined, ada.userId]).toContain(await userOf(subject, company?.id))
      return { run, startOver, check }
    },
    calls: [
      ...['providerSignIns.find', 'companies.find', 'authenticators.list', 'accounts.find', 'identities.link'],
      ...['providerSignIns.end', 'mailer.send', 'sessions.find', 'sessions.start', 'sessions.end'],
    ],
    done: 'connected',
  },
  'The connection of an identity': {
    async prepare() {
      const { ada, subject, session, back, sessionSecret } = await waiting()
      const secret = await back()
      const sent = { sessionSecret, language: 'en' as const }
      const run = async (over: Deps) => (await connectProvider(over, session, { ...sent, secret })).step
      const startOver = async () =>
        (await connectProvider(deps().deps, session, { ...sent, secret: await back() })).step
      const check = async () => expect([undefined, ada.userId]).toContain(await userOf(subject))
      return { run, startOver, check }
    },
    calls: [
      ...['providerSignIns.find', 'providers.find', 'authenticators.list', 'accounts.find', 'identities.link'],
      ...['providerSignIns.end', 'mailer.send'],
    ],
    done: 'connected',
  },
  'The disconnection of one of two identities': {
    async prepare() {
      const { ada, subject } = await linked()
      const account = await bed.accounts().find(ada.userId)
      const other = { issuer: provider.issuer, subject: at(), providerId: 'acme' }
      if (account) await identities().link(account, other, bed.clock.now() + 1)
      const { connections } = bed.deps()
      const id = (await connections.list(ada.userId)).find((one) => one.subject === subject)?.id ?? ''
      const run = async (over: Deps) => {
        await disconnectProvider(over, ada, id)
        return 'done'
      }
      const startOver = () => run(deps().deps).catch((error: { code?: string }) => error.code ?? 'unknown')
      const check = async () => {
        const listed = await connections.list(ada.userId)
        expect(listed.some((one) => one.id === id)).toBe((await userOf(subject)) !== undefined)
        expect(await userOf(other.subject)).toBe(ada.userId)
      }
      return { run, startOver, check }
    },
    calls: ['accounts.findCaller', 'connections.list', 'connections.remove'],
    done: 'done',
  },
}

/** Later calls of a sign-in mail its user: they may fail. */
const isMailing = (calls: readonly string[], call: number) =>
  calls[call] === 'mailer.send' || (calls.includes('sessions.end') && call > calls.lastIndexOf('sessions.end'))

describe.each(Object.entries(scenes))('%s', (name, { prepare, calls: listed, done }) => {
  it('makes the listed calls, each of which gets its faults', async () => {
    const { run, check } = await prepare()
    const { deps: over, calls } = deps()
    expect(await run(over)).toBe(done)
    expect(calls()).toEqual(listed)
    await check()
  })

  it.each(['before', 'after'] as const)(
    'keeps its rules with a fault %s any call, and succeeds later',
    async (when) => {
      for (const [call, where] of listed.entries()) {
        const { run, startOver, check } = await prepare()
        const first = await run(deps({ call, when }).deps).catch((error: unknown) =>
          error instanceof OrderedFault ? 'fault' : error,
        )
        expect([where, first]).toEqual([where, isMailing(listed, call) ? done : 'fault'])
        await check()
        await run(deps().deps).catch(() => undefined)
        await check()
        const gone = name.startsWith('The disconnection') ? 'authenticator_not_found' : done
        const over = await startOver()
        // Connected already: the identity then leads to its account without a question.
        if (name.startsWith('The connection')) expect(['connected', 'failed']).toContain(over)
        else expect([where, over]).toEqual([where, gone])
        await check()
      }
    },
  )
})
