import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { withdrawConsent } from '../../../lib/oauth/authorize/userConsents.ts'
import { SessionError } from '../../../lib/oauth/errors.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { confirmEndOfSession } from '../../../lib/oauth/session/endSession.ts'
import { listUserSessions } from '../../../lib/oauth/session/listUserSessions.ts'
import { endUserSession } from '../../../lib/oauth/session/userSessions.ts'
import { type FaultAt, faultyDeps, OrderedFault } from '../../organizations/deletion/faultyDeps.ts'
import { createActivityInMemory } from '../../support/activityInMemory.ts'
import { newUser } from '../../support/newUser.ts'
import { createInMemoryOauthStores } from './inMemoryOauthStores.ts'

const START = Date.UTC(2026, 10, 21, 12)
const ports = ['sessions', 'userSessions', 'refreshTokens', 'clients', 'consents'] as const

/**
 * A user whose browser has two cookies and tokens of two first-party clients; beside them tokens of a partner, another browser, and another
 * user. One more code is not exchanged yet.
 */
async function world() {
  const stores = createInMemoryOauthStores()
  let now = START
  const users = [newUser(START), newUser(START)] as const
  for (const user of users) await stores.putUser(user)
  const [ada, eve] = [users[0].id, users[1].id]
  const signIn = async (secret: string, userId = ada, id: string = randomUUID(), joins = false) => {
    const authentication = { at: START, methods: ['pwd'] as const }
    const session = { id, userId, securityRev: 0, authentication, validUntil: START + 9000, browser: undefined }
    expect(await stores.sessions.start(digestSecret(secret), session, joins)).toBe(true)
    return id
  }
  const grant = (userId: typeof ada, clientId: string) => ({
    ...{ userId, clientId, securityRev: 0, authentication: { at: START, methods: ['pwd'] as const }, scope: '' },
  })
  /** Exchanges a code that was issued in this session, or to a client by itself. */
  const exchange = async (userId: typeof ada, clientId: string, session?: string) => {
    const [code, familyId] = [digestSecret(randomUUID()), randomUUID()]
    await stores.codes.issue(code, { ...grant(userId, clientId), validUntil: START + 9000 })
    const sessionId = session ?? familyId
    const ends = { securityRev: 0, endsAt: START + 9000 }
    const listed = { ...ends, userId, sessionId, familyId, clientId, lastUsedAt: now }
    const browserSession = session === undefined ? undefined : { userId, sessionId: session }
    const { outcome } = await stores.codes.consume(code, { familyId, now, listed, browserSession })
    return { familyId, outcome }
  }
  const browser = await signIn('one')
  await signIn('two', ada, browser, true)
  const elsewhere = await signIn('three')
  const theirs = await signIn('four', eve)
  const mine = [await exchange(ada, 'console', browser), await exchange(ada, 'app', browser)]
  const partner = await exchange(ada, 'partner')
  const others = [await exchange(ada, 'console', elsewhere), await exchange(eve, 'console', theirs)]
  const caller = { userId: ada, securityRev: 0, familyId: others[0]?.familyId }
  const deps = {
    ...stores,
    consents: { list: async () => [], withdraw: async () => {} },
    clock: { now: () => now, sync: async () => {} },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    activity: createActivityInMemory().activity,
    idTokens: { read: async () => undefined },
    redirectPolicy: 'development' as const,
    serviceName: 'Console',
  }
  const isLive = async (cookie: string) => (await stores.sessions.find(digestSecret(cookie))) !== undefined
  return {
    ...{ stores, deps, caller, browser, elsewhere, theirs, partner, ada, eve },
    faulty: (fault?: FaultAt) => faultyDeps(deps, fault, ports),
    late: () => exchange(ada, 'console', browser),
    latePartner: () => exchange(ada, 'partner'),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    list: () => listUserSessions(deps, caller),
    /** What is good of all that there is. */
    async good() {
      const families = [...mine, partner, ...others].map(({ familyId }) => familyId)
      const revoked = await Promise.all(families.map((familyId) => stores.refreshTokens.isFamilyRevoked(familyId)))
      const cookies = ['one', 'two', 'three', 'four']
      const live = await Promise.all(cookies.map(isLive))
      return {
        families: ['console', 'app', 'partner', 'elsewhere', 'eve'].filter((_, at) => !revoked[at]),
        cookies: cookies.filter((_, at) => live[at]),
      }
    },
  }
}

/** What was ended already is not found: the request was done. */
async function again(ending: Promise<unknown>): Promise<void> {
  await ending.catch((error: unknown) => {
    if (!(error instanceof SessionError)) throw error
  })
}

type World = Awaited<ReturnType<typeof world>>

const browserEnded = { families: ['partner', 'elsewhere', 'eve'], cookies: ['three', 'four'] }
const ofBrowser = ['userSessions.close', 'userSessions.families']
const revoking = ['refreshTokens.revokeFamily', 'refreshTokens.revokeFamily']

const ways: Readonly<
  Record<string, { end: (all: World, deps: World['deps']) => Promise<unknown>; calls: string[]; left: object }>
> = {
  'a browser’s session in the list': {
    end: ({ caller, browser }, deps) => endUserSession(deps, caller, browser),
    calls: ['userSessions.list', ...ofBrowser, ...revoking, 'sessions.end', 'sessions.end'],
    left: browserEnded,
  },
  'what another client got, in the list': {
    end: ({ caller, partner }, deps) => endUserSession(deps, caller, partner.familyId),
    calls: ['userSessions.list', ...ofBrowser, 'refreshTokens.revokeFamily'],
    left: { families: ['console', 'app', 'elsewhere', 'eve'], cookies: ['one', 'two', 'three', 'four'] },
  },
  'the session at the hosted pages': {
    end: (_, deps) => confirmEndOfSession(deps, { query: '', secret: 'one' }),
    calls: ['sessions.find', ...ofBrowser, ...revoking, 'sessions.end', 'sessions.end'],
    left: browserEnded,
  },
  'a client’s consent': {
    end: ({ caller }, deps) => withdrawConsent(deps, caller, 'partner'),
    calls: [
      ...['userSessions.list', 'consents.list', 'consents.withdraw'],
      ...['userSessions.families', 'refreshTokens.revokeFamily'],
    ],
    left: { families: ['console', 'app', 'elsewhere', 'eve'], cookies: ['one', 'two', 'three', 'four'] },
  },
}

describe.each(Object.entries(ways))('Ending %s', (_, { end, calls: listed, left }) => {
  it('ends all of it and nothing else, and again does nothing', async () => {
    const all = await world()
    const { deps, calls } = all.faulty()
    await end(all, deps)
    expect(calls()).toEqual(listed)
    expect(await all.good()).toEqual(left)
    await again(end(all, all.deps))
    expect(await all.good()).toEqual(left)
  })

  it.each(['before', 'after'] as const)('with a fault %s any call ends all of it when tried again', async (when) => {
    for (const [call, name] of listed.entries()) {
      const all = await world()
      await expect(end(all, all.faulty({ call, when }).deps)).rejects.toBeInstanceOf(OrderedFault)
      await again(end(all, all.deps))
      expect([name, await all.good()]).toEqual([name, left])
    }
  })
})

describe('A code that is exchanged while its browser’s session ends', () => {
  it('gives tokens that end with it, or none, at whatever call it arrives', async () => {
    const outcomes = new Set<string>()
    for (let at = 0; at < 7; at += 1) {
      const all = await world()
      let calls = 0
      let late: Awaited<ReturnType<World['late']>> | undefined
      const arrives = async () => {
        if (calls === at) late = await all.late()
        calls += 1
      }
      const { userSessions, refreshTokens, sessions } = all.deps
      await endUserSession(
        {
          ...all.deps,
          userSessions: {
            list: (...given) => arrives().then(() => userSessions.list(...given)),
            close: (...given) => arrives().then(() => userSessions.close(...given)),
            families: (...given) => arrives().then(() => userSessions.families(...given)),
          },
          refreshTokens: { revokeFamily: (family) => arrives().then(() => refreshTokens.revokeFamily(family)) },
          sessions: { ...sessions, end: (cookie) => arrives().then(() => sessions.end(cookie)) },
        },
        all.caller,
        all.browser,
      )
      if (late === undefined) throw new Error('no code arrived')
      outcomes.add(late.outcome)
      const isRevoked = await all.stores.refreshTokens.isFamilyRevoked(late.familyId)
      expect([at, isRevoked]).toEqual([at, late.outcome === 'consumed'])
    }
    expect(outcomes).toEqual(new Set(['consumed', 'expired']))
  })
})

describe('The list of a user’s sessions', () => {
  const idsOf = (listed: Awaited<ReturnType<World['list']>>) => listed.sessions.map(({ id }) => id)

  it('is of the caller alone, the last used first, with the one that asks', async () => {
    const all = await world()
    all.pass(500)
    const { familyId } = await all.latePartner()
    const { sessions } = await all.list()
    expect(sessions[0]?.id).toBe(familyId)
    expect(new Set(sessions.map(({ id }) => id))).toEqual(
      new Set([familyId, all.browser, all.elsewhere, all.partner.familyId]),
    )
    expect(sessions.filter(({ current }) => current).map(({ id }) => id)).toEqual([all.elsewhere])
    expect(sessions.find(({ id }) => id === all.browser)).toMatchObject({
      created_at: '2026-11-21T12:00:00Z',
      last_used_at: '2026-11-21T12:00:00Z',
    })
  })

  it('has no session that was ended, nor one that another user names', async () => {
    const all = await world()
    const byEve = { userId: all.eve, securityRev: 0 }
    await expect(endUserSession(all.deps, byEve, all.browser)).rejects.toMatchObject({ code: 'session_not_found' })
    await expect(endUserSession(all.deps, byEve, all.partner.familyId)).rejects.toMatchObject({
      code: 'session_not_found',
    })
    expect(idsOf(await all.list())).toHaveLength(3)
    await endUserSession(all.deps, all.caller, all.browser)
    expect(new Set(idsOf(await all.list()))).toEqual(new Set([all.elsewhere, all.partner.familyId]))
    await endUserSession(all.deps, all.caller, all.partner.familyId)
    expect(idsOf(await all.list())).toEqual([all.elsewhere])
  })

  it('keeps a browser listed that clients have tokens of, though its cookies are gone, until those end', async () => {
    const all = await world()
    await all.stores.sessions.end(digestSecret('one'))
    await all.stores.sessions.end(digestSecret('two'))
    expect(idsOf(await all.list())).toContain(all.browser)
    await endUserSession(all.deps, all.caller, all.browser)
    expect(idsOf(await all.list())).not.toContain(all.browser)
  })

  it('has nothing that has expired', async () => {
    const all = await world()
    all.pass(8999)
    expect(idsOf(await all.list())).toHaveLength(3)
    all.pass(1)
    expect(idsOf(await all.list())).toEqual([])
  })

  it('has nothing from before the user signed out everywhere', async () => {
    const all = await world()
    await all.stores.endGrants(all.ada)
    const caller = { userId: all.ada, securityRev: 1 }
    expect(idsOf(await listUserSessions(all.deps, caller))).toEqual([])
    await expect(all.list()).rejects.toMatchObject({ code: 'invalid_token' })
  })
})
