import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type {
  AuthorizationCodes,
  RefreshToken,
  RefreshTokens,
  Sessions,
  UserSessions,
} from '../../../lib/oauth/ports.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import type { User } from '../../../lib/users/ports.ts'
import { newUser } from '../../support/newUser.ts'

/** Stores to be held to the contract, and what happens beside them. */
export interface UserSessionsUnderTest {
  readonly sessions: Sessions
  readonly userSessions: UserSessions
  readonly codes: AuthorizationCodes
  readonly refreshTokens: RefreshTokens
  putUser(user: User): Promise<void>
  /** Signs the user out everywhere. */
  endGrants(userId: UserId): Promise<void>
}

/** 2026-11-21T12:00:00Z, Unix milliseconds. */
const now = Date.UTC(2026, 10, 21, 12)
const digest = () => digestSecret(randomBytes(32).toString('base64url'))
const byId = <Row extends { id?: string; familyId?: string }>(rows: readonly Row[]) =>
  rows.toSorted((a, b) => String(a.id ?? a.familyId).localeCompare(String(b.id ?? b.familyId)))

/** What every set of stores of users' sessions must do; `open` is asked before each rule. */
export function describeUserSessions(open: () => UserSessionsUnderTest): void {
  let stores: UserSessionsUnderTest
  beforeEach(() => {
    stores = open()
  })

  async function register(): Promise<UserId> {
    const user = newUser(now)
    await stores.putUser(user)
    return user.id
  }

  const sessionOf = (userId: UserId, id: string = randomUUID(), at = now) => {
    const authentication = { at, methods: ['pwd'] as const }
    return { id, userId, securityRev: 0, authentication, validUntil: at + 1000, browser: 'Firefox on Linux' }
  }
  const listOf = (userId: UserId) => stores.userSessions.list({ userId, securityRev: 0 })
  const isOpen = async (userId: UserId, id: string) =>
    (await listOf(userId)).browsers.find((browser) => browser.id === id)?.isOpen

  /** A browser with one cookie. */
  async function signedIn(userId: UserId) {
    const [cookie, session] = [digest(), sessionOf(userId)]
    expect(await stores.sessions.start(cookie, session, false)).toBe(true)
    return { cookie, session, id: session.id }
  }

  /** Exchanges a new code for a family of tokens. */
  async function exchange(
    userId: UserId,
    {
      clientId = 'client',
      familyId = randomUUID() as string,
      sessionId = familyId as string,
      browserSession = false,
    } = {},
  ) {
    const [code, refresh] = [digest(), digest()]
    const granted = { clientId, userId, securityRev: 0, authentication: { at: now, methods: ['pwd'] as const } }
    await stores.codes.issue(code, { ...granted, scope: '', validUntil: now + 1000 })
    const token: RefreshToken = { ...granted, scope: '', familyId, sessionId, familyEndsAt: now + 9000 }
    const listed = {
      ...{ userId, sessionId, familyId, clientId, securityRev: 0, lastUsedAt: now, endsAt: now + 9000 },
      browser: 'Firefox on Linux',
    }
    const { outcome } = await stores.codes.consume(code, {
      ...{ familyId, now, listed, refreshToken: { digest: refresh, token } },
      ...(browserSession && { browserSession: { userId, sessionId } }),
    })
    return { outcome, listed, familyId, token, refresh, code }
  }

  describe('a browser’s session', () => {
    it('is listed open for its user as it was started, and for no other', async () => {
      const [ada, eve] = [await register(), await register()]
      const { id } = await signedIn(ada)
      expect(await listOf(ada)).toEqual({
        account: expect.objectContaining({ isActive: true, securityRev: 0 }),
        browsers: [
          {
            ...{ id, securityRev: 0, createdAt: now, lastUsedAt: now, validUntil: now + 1000 },
            ...{ browser: 'Firefox on Linux', isOpen: true },
          },
        ],
        grants: [],
      })
      expect(await listOf(eve)).toMatchObject({ browsers: [], grants: [] })
      expect(await stores.userSessions.close(eve, id, now)).toBeUndefined()
      expect(await isOpen(ada, id)).toBe(true)
    })

    it('has what first-party clients got in it, with its pauses, and nothing of another session', async () => {
      const ada = await register()
      const { id } = await signedIn(ada)
      const { listed } = await exchange(ada, { sessionId: id, browserSession: true })
      await exchange(ada)
      expect(await stores.userSessions.grantsIn(ada, id)).toEqual([{ ...listed, createdAt: now }])
      expect(await stores.userSessions.grantsIn(await register(), id)).toEqual([])
    })

    it('leads from the sessions at a company’s provider to its user', async () => {
      const [ada, eve, sso] = [await register(), await register(), organizationIdSchema.parse(randomUUID())]
      const [first, second] = [digest(), digest()]
      const start = (userId: UserId, ssoSession: string, id: string = randomUUID(), joins = false) => {
        const session = sessionOf(userId, id)
        const authentication = { ...session.authentication, sso, ssoSession }
        return stores.sessions.start(digest(), { ...session, authentication }, joins)
      }
      const id = randomUUID()
      for (const ssoSession of [first, first, second]) await start(ada, ssoSession, id, ssoSession === second)
      await start(eve, second)
      expect(await stores.userSessions.usersBy(first)).toEqual([ada])
      expect((await stores.userSessions.usersBy(second)).toSorted()).toEqual([ada, eve].toSorted())
      expect(await stores.userSessions.usersBy(digest())).toEqual([])
      const [browser] = (await listOf(ada)).browsers
      expect(browser).toMatchObject({ id, sso })
      expect(browser?.ssoSessions?.toSorted()).toEqual([first, second].toSorted())
    })

    it('is not started by what arrived before a logout of one of its names: nothing is stored', async () => {
      const [ada, one, two] = [await register(), digest(), digest()]
      const { id } = await signedIn(ada)
      const start = async (at: number, logouts: readonly string[], joins = false) => {
        const [cookie, session] = [digest(), joins ? sessionOf(ada, id) : sessionOf(ada)]
        const hasStarted = await stores.sessions.start(cookie, session, joins, { at, logouts })
        expect((await stores.sessions.find(cookie)) !== undefined).toBe(hasStarted)
        return hasStarted
      }
      expect(await start(now, [one, two])).toBe(true)
      await stores.userSessions.noteLogouts([two], now + 500)
      expect([await start(now + 499, [one, two]), await start(now + 499, [two, one], true)]).toEqual([false, false])
      expect([await start(now + 499, [one]), await start(now + 500, [one, two], true)]).toEqual([true, true])
      await stores.userSessions.noteLogouts([one, two], now + 900)
      expect([await start(now + 500, [one]), await start(now + 901, [two])]).toEqual([false, true])
      await stores.userSessions.noteLogouts([], now + 999)
      expect(await start(now + 901, [one])).toBe(true)
    })

    it('is joined by another sign-in with a cookie of its own, and is as old as it was', async () => {
      const ada = await register()
      const { id, cookie } = await signedIn(ada)
      const [next, later] = [digest(), { ...sessionOf(ada, id, now + 500), browser: undefined }]
      expect(await stores.sessions.start(next, later, true)).toBe(true)
      expect((await listOf(ada)).browsers).toMatchObject([
        { id, createdAt: now, lastUsedAt: now + 500, validUntil: now + 1500, browser: 'Firefox on Linux' },
      ])
      expect(new Set(await stores.userSessions.close(ada, id, now))).toEqual(new Set([cookie, next]))
    })

    it('is not started under an id that is taken, and not joined where there is none or it has ended: nothing is stored', async () => {
      const [ada, eve] = [await register(), await register()]
      const { id } = await signedIn(ada)
      const attempts: [ReturnType<typeof sessionOf>, boolean][] = [
        [sessionOf(ada, id), false],
        [sessionOf(ada), true],
        [sessionOf(eve, id), true],
      ]
      for (const [session, joins] of attempts) {
        const cookie = digest()
        expect(await stores.sessions.start(cookie, session, joins)).toBe(false)
        expect(await stores.sessions.find(cookie)).toBeUndefined()
      }
      await stores.userSessions.close(ada, id, now)
      const cookie = digest()
      expect(await stores.sessions.start(cookie, sessionOf(ada, id), true)).toBe(false)
      expect(await stores.sessions.find(cookie)).toBeUndefined()
      expect(await isOpen(ada, id)).toBe(false)
    })

    it('is open while a cookie has it; ending one repeatedly ends no other', async () => {
      const ada = await register()
      const { id, cookie } = await signedIn(ada)
      const next = digest()
      await stores.sessions.start(next, sessionOf(ada, id), true)
      await stores.sessions.end(cookie)
      await stores.sessions.end(cookie)
      expect([await stores.sessions.find(cookie), await isOpen(ada, id)]).toEqual([undefined, true])
      expect(await stores.sessions.find(next)).toMatchObject({ id, userId: ada })
      await stores.sessions.end(next)
      expect(await isOpen(ada, id)).toBe(false)
      expect(await stores.userSessions.close(ada, id, now)).toEqual([])
    })

    it('is closed for good, and returns its cookies as often as it is asked, which end by themselves', async () => {
      const ada = await register()
      const { id, cookie } = await signedIn(ada)
      expect(await stores.userSessions.close(ada, randomUUID(), now)).toBeUndefined()
      expect(await stores.userSessions.close(ada, id, now)).toEqual([cookie])
      expect(await stores.userSessions.close(ada, id, now + 1)).toEqual([cookie])
      expect(await isOpen(ada, id)).toBe(false)
      expect(await stores.sessions.find(cookie)).toMatchObject({ id })
    })
  })

  describe('a family of tokens', () => {
    it('is listed with the exchange of its code, once, and by its last use from then on', async () => {
      const ada = await register()
      const { listed, refresh, token } = await exchange(ada)
      expect((await listOf(ada)).grants).toEqual([{ ...listed, createdAt: now, isRevoked: false }])
      const rotation = { from: refresh, to: digest(), token, successorSalt: 'salt', now: now + 700, notesUse: true }
      expect(await stores.refreshTokens.rotate(rotation)).toBe('rotated')
      expect((await listOf(ada)).grants).toEqual([
        { ...listed, createdAt: now, lastUsedAt: now + 700, isRevoked: false },
      ])
      expect(await stores.refreshTokens.rotate({ ...rotation, to: digest(), now: now + 900 })).toBe('already_rotated')
      expect((await listOf(ada)).grants).toMatchObject([{ lastUsedAt: now + 700 }])
    })

    it('is found under its session and by its client, of its user only, also where it was revoked', async () => {
      const [ada, eve] = [await register(), await register()]
      const { id } = await signedIn(ada)
      const [one, two] = [await exchange(ada, { sessionId: id }), await exchange(ada, { sessionId: id, clientId: 'b' })]
      const alone = await exchange(ada)
      await exchange(eve, { sessionId: id })
      await stores.refreshTokens.revokeFamily({ familyId: one.familyId, now })
      const families = async (of: Parameters<UserSessions['families']>[1]) =>
        (await stores.userSessions.families(ada, of)).toSorted()
      expect(await families({ sessionId: id })).toEqual([one.familyId, two.familyId].toSorted())
      expect(await families({ sessionId: alone.familyId })).toEqual([alone.familyId])
      expect(await families({ clientId: 'client' })).toEqual([one.familyId, alone.familyId].toSorted())
      expect(await families({ sessionId: id.slice(0, -1) })).toEqual([])
      expect(await families({ clientId: 'c' })).toEqual([])
      const revoked = byId((await listOf(ada)).grants).map(({ familyId, isRevoked }) => [familyId, isRevoked])
      expect(revoked).toEqual(byId([one, two, alone]).map(({ familyId }) => [familyId, familyId === one.familyId]))
    })

    it('is not issued in a browser’s session that has ended, or that there is none of: the code stays unused', async () => {
      const ada = await register()
      const { id, cookie } = await signedIn(ada)
      // Signing out of the pages alone ends no code that was issued before.
      await stores.sessions.end(cookie)
      expect((await exchange(ada, { sessionId: id, browserSession: true })).outcome).toBe('consumed')
      await stores.userSessions.close(ada, id, now)
      for (const sessionId of [id, randomUUID()]) {
        const { outcome, refresh, code } = await exchange(ada, { sessionId, browserSession: true })
        expect(outcome).toBe('expired')
        expect(await stores.refreshTokens.find(refresh)).toBeUndefined()
        expect((await stores.codes.find(code))?.familyId).toBeUndefined()
      }
      expect((await listOf(ada)).grants).toHaveLength(1)
    })
  })

  it('lists nothing for a caller whose grant has ended: by its family, by the account, or without one', async () => {
    const ada = await register()
    const { familyId } = await exchange(ada)
    const list = (caller: { userId: UserId; familyId?: string; securityRev: number }) =>
      stores.userSessions.list(caller).then(({ grants }) => grants.length)
    const ended = { code: 'invalid_token' }
    expect(await list({ userId: ada, familyId, securityRev: 0 })).toBe(1)
    await expect(list({ userId: ada, familyId, securityRev: 1 })).rejects.toMatchObject(ended)
    await stores.refreshTokens.revokeFamily({ familyId, now })
    await expect(list({ userId: ada, familyId, securityRev: 0 })).rejects.toMatchObject(ended)
    expect(await list({ userId: ada, securityRev: 0 })).toBe(1)
    await stores.endGrants(ada)
    await expect(list({ userId: ada, securityRev: 0 })).rejects.toMatchObject(ended)
    expect((await stores.userSessions.list({ userId: ada, securityRev: 1 })).account).toMatchObject({ securityRev: 1 })
    await expect(list({ userId: userIdSchema.parse(randomUUID()), securityRev: 0 })).rejects.toMatchObject(ended)
  })
}
