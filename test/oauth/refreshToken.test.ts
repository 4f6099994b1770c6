import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { useAccountsStack } from '../support/accountsStack.ts'
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

    it('gives tokens to exactly one of 20 parallel refreshes, and treats the others as reuse', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      const answers = await Promise.all(Array.from({ length: 20 }, () => requestToken(stack(), refresh)))
      const winners = answers.filter(({ status }) => status === 200)
      expect(winners).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
      for (const winner of winners) {
        const { refresh_token } = tokensIn(winner)
        expect(await requestToken(stack(), { ...refresh, refresh_token })).toMatchObject(refusal('invalid_grant'))
      }
    })

    it('answers invalid_grant from 30 days after the sign-in, however often the token was rotated', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      stack().advance(20 * DAY)
      const second = { ...refresh, ...tokensIn(await requestToken(stack(), refresh)), scope: '' }
      stack().advance(10 * DAY - 5)
      const third = { ...second, ...tokensIn(await requestToken(stack(), second)), scope: '' }
      stack().advance(6)
      expect(await requestToken(stack(), third)).toMatchObject(refusal('invalid_grant'))
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

  describe('Given a token that was rotated before', () => {
    it('answers invalid_grant and revokes the whole family and no other, without a signature', async () => {
      const registered = await register(stack())
      const { refresh } = await signIn(stack(), registered)
      const other = await signIn(stack(), registered)
      const { refresh_token } = tokensIn(await requestToken(stack(), refresh))
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
