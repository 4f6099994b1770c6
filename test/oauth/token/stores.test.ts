import { describe, expect, it } from '@jest/globals'
import { byPassword } from '../../../lib/core/authentication.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import type { RefreshToken } from '../../../lib/oauth/ports.ts'
import { digestSecret, type SecretDigest } from '../../../lib/oauth/secretDigest.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { race, racers } from '../../support/race.ts'

const stack = useAccountsStack()
const digest = () => digestSecret(stack().ids.secret())
const grant = () => ({
  clientId: 'client',
  userId: userIdSchema.parse(stack().ids.uuid()),
  securityRev: 0,
  authentication: { at: 0, methods: byPassword },
  scope: '',
})
/** A code's first use stores the first token of its family. */
async function storeRefreshToken(digestOfToken: SecretDigest, token: RefreshToken): Promise<void> {
  const { codes, clock } = stack()
  const { clientId, userId, securityRev, authentication, scope, familyId } = token
  const [code, now] = [digest(), clock.now()]
  await codes.issue(code, { clientId, userId, securityRev, authentication, scope, validUntil: now + 1 })
  await codes.consume(code, { familyId, now, refreshToken: { digest: digestOfToken, token } })
}

describe('Consuming a code', () => {
  // [threat 63]
  it('succeeds for exactly one of many callers and returns its family to the others', async () => {
    const now = stack().clock.now()
    const code = digest()
    await stack().codes.issue(code, { ...grant(), validUntil: now + 1 })
    const outcomes = await race(() => stack().codes.consume(code, { familyId: stack().ids.uuid(), now }))
    const { familyId } = (await stack().codes.find(code)) ?? {}
    expect(outcomes.filter(({ outcome }) => outcome === 'consumed')).toHaveLength(1)
    const others = outcomes.filter(({ outcome }) => outcome !== 'consumed')
    expect(others).toEqual(Array(racers - 1).fill({ outcome: 'already_used', familyId }))
  })

  it('stores the refresh token of exactly one of many callers', async () => {
    const now = stack().clock.now()
    const code = digest()
    await stack().codes.issue(code, { ...grant(), validUntil: now + 1 })
    await race(() => {
      const [familyId, successor] = [stack().ids.uuid(), digest()]
      const token = { ...grant(), scope: 'race', familyId, familyEndsAt: now + 1000 }
      return stack().codes.consume(code, { familyId, now, refreshToken: { digest: successor, token } })
    })
    const { familyId } = (await stack().codes.find(code)) ?? {}
    const stored = (await stack().stored()).filter(({ scope }) => scope === 'race')
    expect(stored.map((item) => item.familyId)).toEqual([familyId])
  })

  it('fails for an unknown code, and from the millisecond at which the code expires', async () => {
    const now = stack().clock.now()
    const code = digest()
    await stack().codes.issue(code, { ...grant(), validUntil: now })
    expect(await stack().codes.consume(code, { familyId: 'f', now })).toEqual({ outcome: 'expired' })
    expect(await stack().codes.consume(digest(), { familyId: 'f', now })).toEqual({ outcome: 'expired' })
    expect(await stack().codes.consume(code, { familyId: 'f', now: now - 1 })).toEqual({ outcome: 'consumed' })
  })
})

describe('Rotating a refresh token', () => {
  const issue = async () => {
    const [from, now] = [digest(), stack().clock.now()]
    const token = { ...grant(), familyId: stack().ids.uuid(), familyEndsAt: now + 1000 }
    await storeRefreshToken(from, token)
    return { from, token, now, successorSalt: 'salt', notesUse: true }
  }

  it('succeeds for exactly one of many callers and stores one successor', async () => {
    const rotation = await issue()
    const outcomes = await race(() => stack().refreshTokens.rotate({ ...rotation, to: digest() }))
    expect(outcomes.toSorted()).toEqual([...Array(racers - 1).fill('already_rotated'), 'rotated'])
    const family = (await stack().stored()).filter(({ familyId }) => familyId === rotation.token.familyId)
    // The two tokens, the code that they come from, and what the user finds listed.
    expect(family).toHaveLength(4)
  })

  it('fails in a revoked family, also in one revoked before its first token was stored', async () => {
    const first = await issue()
    await stack().refreshTokens.revokeFamily({ familyId: first.token.familyId, now: first.now })
    expect(await stack().refreshTokens.rotate({ ...first, to: digest() })).toBe('family_revoked')

    const familyId = stack().ids.uuid()
    await stack().refreshTokens.revokeFamily({ familyId, now: first.now })
    const token = { ...first.token, familyId }
    const from = digest()
    await storeRefreshToken(from, token)
    expect(await stack().refreshTokens.rotate({ ...first, from, token, to: digest() })).toBe('family_revoked')
  })
})

describe('A stored code, token or revocation', () => {
  // [asvs 14.2.7]
  it('has its time to live in Unix seconds, never earlier than it is needed', async () => {
    const now = stack().clock.now()
    const [code, token] = [digest(), digest()]
    await stack().codes.issue(code, { ...grant(), validUntil: now + 60_000 })
    const familyEndsAt = now + 30 * 24 * 60 * 60 * 1000 + 1
    await storeRefreshToken(token, { ...grant(), familyId: 'ttl', familyEndsAt })
    await stack().refreshTokens.revokeFamily({ familyId: 'ttl', now })
    const items = await stack().stored()
    const expiryOf = (pk: string) => items.find((item) => item.pk === pk)?.expiresAt
    expect(expiryOf(`REFRESH_TOKEN#${token}`)).toBe(Math.ceil(familyEndsAt / 1000))
    expect(expiryOf(`CODE#${code}`)).toBeGreaterThan(familyEndsAt / 1000)
    expect(expiryOf('TOKEN_FAMILY#ttl')).toBeGreaterThan(familyEndsAt / 1000)
  })
})
