import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { userIdSchema } from '../../../lib/core/ids.ts'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import type {
  AuthorizationCodes,
  DeviceAuthorizations,
  OAuthClients,
  RefreshToken,
  RefreshTokens,
} from '../../../lib/oauth/ports.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import type { User, Users } from '../../../lib/users/ports.ts'

/** Stores to be held to the contract, and how clients and users come into them. */
export interface OauthStoresUnderTest {
  readonly clients: OAuthClients
  readonly codes: AuthorizationCodes
  readonly devices: DeviceAuthorizations
  readonly refreshTokens: RefreshTokens
  readonly users: Pick<Users, 'find'>
  putClient(client: OAuthClient): Promise<void>
  putUser(user: User): Promise<void>
}

/** 2026-11-21T12:00:00Z, Unix milliseconds. */
const now = Date.UTC(2026, 10, 21, 12)
const digest = () => digestSecret(randomBytes(32).toString('base64url'))

/** What every set of stores of the token endpoint must do; `open` is asked before each rule. */
export function describeOauthStores(open: () => OauthStoresUnderTest): void {
  let stores: OauthStoresUnderTest
  beforeEach(() => {
    stores = open()
  })
  const grant = () => ({
    clientId: 'client',
    userId: userIdSchema.parse(randomUUID()),
    securityRev: 3,
    authentication: { at: now - 1000, methods: ['swk', 'user', 'mfa'] as const },
    scope: 'profile',
  })

  describe('clients and users', () => {
    it('are found as they were stored, and not by any other id', async () => {
      const clientId = `client-${randomUUID()}`
      const client: OAuthClient = {
        clientId,
        type: 'confidential',
        name: 'A client',
        secretDigests: [digest(), digest()],
        grantTypes: ['refresh_token'],
        redirectUris: ['https://a.example.com/'],
        postLogoutRedirectUris: ['https://a.example.com/bye'],
        disabled: true,
      }
      await stores.putClient(client)
      expect(await stores.clients.find(clientId)).toEqual(client)
      for (const other of [`${clientId}x`, '', 'not/well formed']) {
        expect(await stores.clients.find(other)).toBeUndefined()
      }
    })

    it('are found where they are switched off', async () => {
      const id = userIdSchema.parse(randomUUID())
      const flags = { isActive: false, isVerified: true, isSuperuser: false }
      const user = { id, email: 'a@example.com', username: `u-${id.slice(0, 8)}`, createdAt: now, ...flags }
      await stores.putUser(user)
      expect(await stores.users.find(id)).toEqual(user)
      expect(await stores.users.find(userIdSchema.parse(randomUUID()))).toBeUndefined()
    })
  })

  describe('a code', () => {
    const issue = async (validUntil = now + 1) => {
      const code = digest()
      const members = { redirectUri: 'https://a.example.com/', codeChallenge: digest(), allowedIn: randomUUID() }
      const issued = { ...grant(), ...members, validUntil }
      await stores.codes.issue(code, issued)
      return { code, issued }
    }

    it('is found as it was issued, without the members that were omitted, and not before', async () => {
      const { code, issued } = await issue()
      expect(await stores.codes.find(code)).toEqual(issued)
      const bare = digest()
      expect(await stores.codes.find(bare)).toBeUndefined()
      const nothing = { redirectUri: undefined, codeChallenge: undefined, familyId: undefined }
      await stores.codes.issue(bare, { ...grant(), ...nothing, validUntil: now })
      expect(Object.keys((await stores.codes.find(bare)) ?? {}).toSorted()).toEqual([
        'authentication',
        'clientId',
        'scope',
        'securityRev',
        'userId',
        'validUntil',
      ])
    })

    it('is consumed by one family, also where that repeats the call, and every other family gets the one that consumed it', async () => {
      const { code, issued } = await issue()
      const consume = (familyId: string, at = now) => stores.codes.consume(code, { familyId, now: at })
      expect([await consume('mine'), await consume('mine')]).toEqual([{ outcome: 'consumed' }, { outcome: 'consumed' }])
      expect(await consume('theirs')).toEqual({ outcome: 'already_used', familyId: 'mine' })
      expect(await consume('theirs', now + 100)).toEqual({ outcome: 'already_used', familyId: 'mine' })
      expect(await stores.codes.find(code)).toMatchObject({ ...issued, familyId: 'mine' })
    })

    it('is consumed with the refresh token of that use, and stores no other', async () => {
      const { code, issued } = await issue()
      const use = (familyId: string) => {
        const { clientId, userId, securityRev, authentication, scope } = issued
        const refreshToken = {
          digest: digest(),
          token: { clientId, userId, securityRev, authentication, scope, familyId, familyEndsAt: now + 1000 },
        }
        return { familyId, now, refreshToken }
      }
      const [mine, theirs, late] = [use('mine'), use('theirs'), use('late')]
      await stores.codes.consume(code, mine)
      await stores.codes.consume(code, theirs)
      expect(await stores.refreshTokens.find(mine.refreshToken.digest)).toEqual(mine.refreshToken.token)
      expect(await stores.refreshTokens.find(theirs.refreshToken.digest)).toBeUndefined()
      await stores.codes.consume((await issue(now)).code, late)
      expect(await stores.refreshTokens.find(late.refreshToken.digest)).toBeUndefined()
    })

    it('is not consumed and not changed where it is unknown, nor from the millisecond at which it expires', async () => {
      const { code, issued } = await issue(now)
      expect(await stores.codes.consume(code, { familyId: 'f', now })).toEqual({ outcome: 'expired' })
      expect(await stores.codes.consume(digest(), { familyId: 'f', now })).toEqual({ outcome: 'expired' })
      expect(await stores.codes.find(code)).toEqual(issued)
      expect(await stores.codes.consume(code, { familyId: 'f', now: now - 1 })).toEqual({ outcome: 'consumed' })
    })
  })

  describe('an authorization of a device', () => {
    const begin = async (change: { user?: ReturnType<typeof digest>; requestedAt?: number } = {}) => {
      const [device, { user = digest(), requestedAt = now }] = [digest(), change]
      const authorization = {
        ...{ clientId: 'client', scope: 'profile', sourceIp: '198.51.100.7', requestedAt },
        ...{ validUntil: requestedAt + 900, intervalMilliseconds: 5000 },
      }
      const isStored = await stores.devices.begin({ device, user }, authorization)
      return { device, user, authorization, isStored }
    }

    it('is found by both codes, and not before', async () => {
      expect(await stores.devices.find(digest())).toBeUndefined()
      expect(await stores.devices.findByUserCode(digest())).toBeUndefined()
      const { device, user, authorization } = await begin()
      expect(await stores.devices.find(device)).toEqual(authorization)
      expect(await stores.devices.findByUserCode(user)).toEqual({ ...authorization, device })
    })

    it('is not stored under a user code that another has, until that has expired', async () => {
      const first = await begin()
      const second = await begin({ user: first.user, requestedAt: now + 899 })
      expect([first.isStored, second.isStored]).toEqual([true, false])
      expect(await stores.devices.find(second.device)).toBeUndefined()
      expect(await stores.devices.findByUserCode(first.user)).toMatchObject({ device: first.device })
      const third = await begin({ user: first.user, requestedAt: now + 900 })
      expect(third.isStored).toBe(true)
      expect(await stores.devices.findByUserCode(first.user)).toMatchObject({ device: third.device })
    })

    it('notes one of two polls that read the same', async () => {
      const { device, authorization } = await begin()
      const note = (polledAt: number) =>
        stores.devices.notePoll(device, authorization, { polledAt, intervalMilliseconds: 7000 })
      expect([await note(now + 1), await note(now + 2)]).toEqual([true, false])
      const noted = await stores.devices.find(device)
      expect(noted).toEqual({ ...authorization, polledAt: now + 1, intervalMilliseconds: 7000 })
      if (noted === undefined) throw new Error('it is gone')
      const next = { polledAt: now + 3, intervalMilliseconds: 7000 }
      expect(await stores.devices.notePoll(device, noted, next)).toBe(true)
      expect(await stores.devices.notePoll(digest(), authorization, next)).toBe(false)
    })

    it('is decided once, by one user, and gives the code of that user', async () => {
      const { device, authorization } = await begin()
      const code = { ...grant(), validUntil: now + 900, isForDevice: true }
      const allowed = { decision: 'allowed', code } as const
      const others = { decision: 'allowed', code: { ...code, userId: userIdSchema.parse(randomUUID()) } } as const
      expect(await stores.devices.decide(device, allowed, now)).toBe(true)
      expect(await stores.devices.decide(device, allowed, now)).toBe(true)
      expect(await stores.devices.decide(device, others, now)).toBe(false)
      expect(await stores.devices.decide(device, { decision: 'denied', userId: code.userId }, now)).toBe(false)
      expect(await stores.codes.find(device)).toEqual(code)
      const decided = { ...authorization, decision: 'allowed', decidedBy: code.userId } as const
      expect(await stores.devices.find(device)).toEqual(decided)
      const poll = { polledAt: now, intervalMilliseconds: 5000 }
      expect(await stores.devices.notePoll(device, authorization, poll)).toBe(false)
    })

    it('gives no code if it is denied, is unknown, or has expired', async () => {
      const [one, late] = [await begin(), await begin()]
      const code = { ...grant(), validUntil: now + 900, isForDevice: true }
      expect(await stores.devices.decide(one.device, { decision: 'denied', userId: code.userId }, now)).toBe(true)
      expect(await stores.devices.decide(one.device, { decision: 'allowed', code }, now)).toBe(false)
      expect(await stores.devices.decide(late.device, { decision: 'allowed', code }, now + 900)).toBe(false)
      expect(await stores.devices.decide(digest(), { decision: 'allowed', code }, now)).toBe(false)
      expect(await stores.codes.find(one.device)).toBeUndefined()
      expect(await stores.codes.find(late.device)).toBeUndefined()
    })
  })

  describe('a refresh token', () => {
    const issue = async (familyId: string = randomUUID()) => {
      const [from, to] = [digest(), digest()]
      const token: RefreshToken = { ...grant(), familyId, familyEndsAt: now + 1000 }
      const { clientId, userId, securityRev, authentication, scope } = token
      const code = digest()
      await stores.codes.issue(code, { clientId, userId, securityRev, authentication, scope, validUntil: now + 1 })
      await stores.codes.consume(code, { familyId, now, refreshToken: { digest: from, token } })
      return { from, to, token, now, successorSalt: 'salt', notesUse: false }
    }

    it('is found as it was issued, and not before', async () => {
      const { from, to, token } = await issue()
      expect(await stores.refreshTokens.find(from)).toEqual(token)
      expect(await stores.refreshTokens.find(to)).toBeUndefined()
    })

    it('is rotated once: marked, and replaced by the newest of its family', async () => {
      const rotation = await issue()
      expect(await stores.refreshTokens.rotate(rotation)).toBe('rotated')
      expect(await stores.refreshTokens.find(rotation.from)).toEqual({
        ...rotation.token,
        rotatedAt: now,
        successorSalt: 'salt',
      })
      expect(await stores.refreshTokens.find(rotation.to)).toEqual(rotation.token)
      const late = digest()
      const later = { to: late, now: now + 5, successorSalt: 'another', notesUse: false }
      expect(await stores.refreshTokens.rotate({ ...rotation, ...later })).toBe('already_rotated')
      expect(await stores.refreshTokens.find(late)).toBeUndefined()
      expect(await stores.refreshTokens.find(rotation.from)).toMatchObject({ rotatedAt: now, successorSalt: 'salt' })
      const marked = { ...rotation.token, rotatedAt: now, successorSalt: 'salt' }
      const next = { ...later, from: rotation.to, token: marked }
      expect(await stores.refreshTokens.rotate(next)).toBe('rotated')
      expect(await stores.refreshTokens.find(late)).toEqual(rotation.token)
    })

    it('says when the use of its family was noted last', async () => {
      const rotation = await issue()
      await stores.refreshTokens.rotate({ ...rotation, notesUse: true })
      const noted = await stores.refreshTokens.find(rotation.to)
      expect(noted).toEqual({ ...rotation.token, listedAt: now })
      const next = { from: rotation.to, to: digest(), now: now + 5, successorSalt: 'salt', notesUse: false }
      await stores.refreshTokens.rotate({ ...next, token: noted ?? rotation.token })
      expect(await stores.refreshTokens.find(next.to)).toEqual(noted)
    })

    it('is not rotated where it is unknown, nor to one that exists', async () => {
      const [one, other] = [await issue(), await issue()]
      expect(await stores.refreshTokens.rotate({ ...one, from: digest() })).toBe('already_rotated')
      expect(await stores.refreshTokens.rotate({ ...one, to: other.from })).not.toBe('rotated')
      expect(await stores.refreshTokens.find(one.from)).toEqual(one.token)
      expect(await stores.refreshTokens.find(other.from)).toEqual(other.token)
    })

    it('is not rotated in a family that is revoked, however often, before or after it was issued', async () => {
      const familyId = randomUUID()
      expect(await stores.refreshTokens.isFamilyRevoked(familyId)).toBe(false)
      await stores.refreshTokens.revokeFamily({ familyId, now })
      expect(await stores.refreshTokens.isFamilyRevoked(familyId)).toBe(true)
      const born = await issue(familyId)
      await stores.refreshTokens.revokeFamily({ familyId, now: now + 1 })
      expect(await stores.refreshTokens.rotate(born)).toBe('family_revoked')
      expect(await stores.refreshTokens.find(born.from)).toEqual(born.token)
      expect(await stores.refreshTokens.find(born.to)).toBeUndefined()
      expect(await stores.refreshTokens.rotate(await issue())).toBe('rotated')
    })

    it('is reported as rotated before it is reported as revoked', async () => {
      const rotation = await issue()
      await stores.refreshTokens.rotate(rotation)
      await stores.refreshTokens.revokeFamily({ familyId: rotation.token.familyId, now })
      expect(await stores.refreshTokens.rotate({ ...rotation, to: digest() })).toBe('already_rotated')
    })
  })
}
