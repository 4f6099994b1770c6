import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { deriveSuccessor } from '../../../lib/oauth/token/refreshTokenGrant.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { race, racers } from '../../support/race.ts'
import { refusal, register, requestToken, signIn, tokensIn } from './tokenRequests.ts'

const stack = useAccountsStack()
const DAY = 24 * 60 * 60

describe('POST /api/oauth/token with a refresh token', () => {
  describe('Given the newest token of a family', () => {
    it.each(['json', 'form', 'basic'] as const)('answers exactly new tokens to a request sent as %s', async (as) => {
      const { refresh, tokens } = await signIn(stack(), await register(stack()), { scope: 'profile' })
      const { status, body } = await requestToken(stack(), refresh, as)
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          access_token: expect.not.stringContaining(tokens.access_token),
          token_type: 'Bearer',
          expires_in: 900,
          refresh_token: expect.stringMatching(/^[\w-]{43}$/),
          scope: 'profile',
        },
      })
      expect(body).not.toMatchObject({ refresh_token: tokens.refresh_token })
    })

    // [threat 15.6b]
    it('gives parallel refreshes the same new token, each with an access token of its own, and revokes nothing', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      const answers = await race(() => requestToken(stack(), refresh))
      const tokens = answers.map(tokensIn)
      expect(new Set(tokens.map(({ access_token }) => access_token)).size).toBe(racers)
      const [refresh_token = '', ...others] = new Set(tokens.map((one) => one.refresh_token))
      expect(others).toEqual([])
      expect((await requestToken(stack(), { ...refresh, refresh_token })).status).toBe(200)
    })

    it('answers invalid_grant from 30 days after the sign-in, however often the token was rotated', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      stack().advance(20 * DAY)
      const second = { ...refresh, ...tokensIn(await requestToken(stack(), refresh)), scope: '' }
      stack().advance(10 * DAY - 5)
      const third = { ...second, ...tokensIn(await requestToken(stack(), second)), scope: '' }
      stack().advance(6)
      const answer = await requestToken(stack(), third)
      expect(answer).toMatchObject(refusal('invalid_grant'))
      expect(answer.body).toMatchObject({ error_description: 'The refresh token has expired: sign in again' })
    })

    it('answers 503 and does not rotate the token where signing fails', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      stack().kms.fail({ operation: 'Sign', times: 3, kind: 'drop_before' })
      expect((await requestToken(stack(), refresh)).status).toBe(503)
      expect((await requestToken(stack(), refresh)).status).toBe(200)
    })

    // [asvs 2.3.3]
    it('rotates the token once where the answer to the transaction was lost', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      stack().database.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
      const { refresh_token } = tokensIn(await requestToken(stack(), refresh))
      expect((await requestToken(stack(), { ...refresh, refresh_token })).status).toBe(200)
    })

    it('rotates the token after a conflict with another transaction', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      const CancellationReasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }, { Code: 'None' }]
      stack().database.fail({
        operation: 'TransactWriteItems',
        times: 1,
        error: { type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException', CancellationReasons },
      })
      expect((await requestToken(stack(), refresh)).status).toBe(200)
    })
  })

  describe('Given a scope in the request', () => {
    it('narrows this access token and leaves the family what was granted', async () => {
      const { refresh } = await signIn(stack(), await register(stack()), { scope: 'profile billing' })
      const narrow = tokensIn(await requestToken(stack(), { ...refresh, scope: 'billing' }))
      expect(narrow.scope).toBe('billing')
      expect(decodeJwt(narrow.access_token)).toMatchObject({ scope: 'billing' })
      const full = tokensIn(await requestToken(stack(), { ...refresh, refresh_token: narrow.refresh_token }))
      expect(full.scope).toBe('profile billing')
    })

    it.each(['admin', 'profile admin', 'profil'])(
      'refuses %p, which is wider, and does not rotate the token',
      async (scope) => {
        const { refresh } = await signIn(stack(), await register(stack()), { scope: 'profile' })
        expect(await requestToken(stack(), { ...refresh, scope })).toMatchObject(refusal('invalid_scope'))
        expect((await requestToken(stack(), refresh)).status).toBe(200)
      },
    )

    it('refuses any scope where none was granted', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      expect(await requestToken(stack(), { ...refresh, scope: 'x' })).toMatchObject(refusal('invalid_scope'))
    })
  })

  describe('Given a token that was rotated within the last 30 seconds', () => {
    // [threat 15.6b]
    it.each([0, 1, 29])('answers the same new token again %d seconds later, which then works', async (seconds) => {
      const { refresh } = await signIn(stack(), await register(stack()), { scope: 'profile billing' })
      const first = tokensIn(await requestToken(stack(), refresh))
      stack().advance(seconds)
      const again = tokensIn(await requestToken(stack(), { ...refresh, scope: 'profile' }))
      expect(again.refresh_token).toBe(first.refresh_token)
      expect(again.access_token).not.toBe(first.access_token)
      expect(again.scope).toBe('profile')
      const third = tokensIn(await requestToken(stack(), { ...refresh, refresh_token: first.refresh_token }))
      expect(third).toMatchObject({ refresh_token: expect.stringMatching(/^[\w-]{43}$/), scope: 'profile billing' })
    })

    it('heals an answer that the store lost past every repeat of its own', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      stack().database.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_after' })
      expect((await requestToken(stack(), refresh)).status).toBe(503)
      const { refresh_token } = tokensIn(await requestToken(stack(), refresh))
      expect((await requestToken(stack(), { ...refresh, refresh_token })).status).toBe(200)
    })

    it('is reuse once the new token has been used: answers invalid_grant and revokes the family', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      const second = { ...refresh, refresh_token: tokensIn(await requestToken(stack(), refresh)).refresh_token }
      const third = { ...refresh, refresh_token: tokensIn(await requestToken(stack(), second)).refresh_token }
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
      expect(await requestToken(stack(), third)).toMatchObject(refusal('invalid_grant'))
    })

    it('is refused in a family that was revoked, and where its user was switched off since', async () => {
      const registered = await register(stack())
      const [ended, off] = [await signIn(stack(), registered), await signIn(stack(), registered)]
      await requestToken(stack(), ended.refresh)
      await requestToken(stack(), off.refresh)
      const { familyId = '' } = (await stack().refreshTokens.find(digestSecret(ended.refresh.refresh_token))) ?? {}
      await stack().refreshTokens.revokeFamily({ familyId, now: stack().clock.now() })
      expect(await requestToken(stack(), ended.refresh)).toMatchObject(refusal('invalid_grant'))
      await stack().setActive(registered.userId, false)
      expect(await requestToken(stack(), off.refresh)).toMatchObject(refusal('invalid_grant'))
    })

    it('cannot be computed from the token without the table, nor from the table without the token', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      const { refresh_token } = tokensIn(await requestToken(stack(), refresh))
      const stored = await stack().refreshTokens.find(digestSecret(refresh.refresh_token))
      const salt = stored?.successorSalt ?? ''
      expect(deriveSuccessor(refresh.refresh_token, salt)).toBe(refresh_token)
      for (const guess of ['', digestSecret(refresh.refresh_token)]) {
        expect(deriveSuccessor(refresh.refresh_token, guess)).not.toBe(refresh_token)
        expect(deriveSuccessor(guess, salt)).not.toBe(refresh_token)
      }
      expect(JSON.stringify(await stack().stored())).not.toContain(refresh_token)
    })
  })

  describe('Given a token that was rotated 30 seconds before, or earlier', () => {
    it('answers invalid_grant and revokes the whole family and no other, without a signature', async () => {
      const registered = await register(stack())
      const { refresh } = await signIn(stack(), registered)
      const other = await signIn(stack(), registered)
      const { refresh_token } = tokensIn(await requestToken(stack(), refresh))
      stack().advance(31)
      stack().kms.reset()
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
      expect(stack().kms.calls()).toEqual([])
      expect(await requestToken(stack(), { ...refresh, refresh_token })).toMatchObject(refusal('invalid_grant'))
      expect((await requestToken(stack(), other.refresh)).status).toBe(200)
    })
  })

  describe('Given a request that cannot be granted', () => {
    it.each([
      ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
      ['an unknown token', { refresh_token: 'unknown' }, 'invalid_grant'],
      ['no token', { refresh_token: '' }, 'invalid_request'],
    ] as const)('refuses %s and does not rotate the token', async (_, change, error) => {
      const { refresh } = await signIn(stack(), await register(stack()))
      expect(await requestToken(stack(), { ...refresh, ...change })).toMatchObject(refusal(error))
      expect((await requestToken(stack(), refresh)).status).toBe(200)
    })

    it('refuses another client and changes nothing, whether the token was rotated or not', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      const { credentials } = await register(stack())
      expect(await requestToken(stack(), { ...refresh, ...credentials })).toMatchObject(refusal('invalid_grant'))
      const { refresh_token } = tokensIn(await requestToken(stack(), refresh))
      expect(await requestToken(stack(), { ...refresh, ...credentials })).toMatchObject(refusal('invalid_grant'))
      expect((await requestToken(stack(), { ...refresh, refresh_token })).status).toBe(200)
    })

    // [asvs 7.4.2]
    it('refuses a user who has been switched off', async () => {
      const registered = await register(stack())
      const { refresh } = await signIn(stack(), registered)
      await stack().setActive(registered.userId, false)
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
    })
  })
})
