import { describe, expect, it } from '@jest/globals'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { race, racers } from '../../support/race.ts'
import {
  issueCode,
  REDIRECT_URI,
  refusal,
  register,
  requestToken,
  signIn,
  tokensIn,
  VERIFIER,
} from './tokenRequests.ts'

const stack = useAccountsStack()
const s256 = { codeChallenge: challengeOf(VERIFIER), codeChallengeMethod: 'S256' }

describe('POST /api/oauth/token with an authorization code', () => {
  describe('Given a valid code', () => {
    it.each(['json', 'form', 'basic'] as const)('answers exactly the tokens to a request sent as %s', async (as) => {
      const request = await issueCode(stack(), await register(stack()), { scope: 'profile billing' })
      const { status, headers, body } = await requestToken(stack(), request, as)
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{342}$/),
          token_type: 'Bearer',
          expires_in: 900,
          refresh_token: expect.stringMatching(/^[\w-]{43}$/),
          scope: 'profile billing',
        },
      })
      expect(headers.get('cache-control')).toBe('no-store')
    })

    it('omits a scope that was not granted and a refresh token that the client may not use', async () => {
      const registered = await register(stack(), { grantTypes: ['authorization_code'] })
      const { body } = await requestToken(stack(), await issueCode(stack(), registered))
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 900 })
    })

    it('accepts the code until 60 seconds have passed, and refuses it from then on', async () => {
      const registered = await register(stack())
      const early = await issueCode(stack(), registered)
      const late = await issueCode(stack(), registered)
      stack().advance(59)
      expect((await requestToken(stack(), early)).status).toBe(200)
      // The clock shows whole seconds: the code may be up to one younger.
      stack().advance(2)
      expect(await requestToken(stack(), late)).toMatchObject(refusal('invalid_grant'))
    })

    it('gives tokens to exactly one of many parallel exchanges', async () => {
      const request = await issueCode(stack(), await register(stack()))
      const answers = await race(() => requestToken(stack(), request))
      const refused = answers.filter(({ status }) => status !== 200)
      expect(refused).toHaveLength(racers - 1)
      for (const answer of refused) expect(answer).toMatchObject(refusal('invalid_grant'))
    })
  })

  describe('Given a request that cannot be granted', () => {
    const otherUri = 'The redirect_uri is not that of the authorization request'
    const otherVerifier = 'The code_verifier does not match the code_challenge of the authorization request'
    const wrong = [
      ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client', 'Client authentication failed'],
      ['another redirect_uri', { redirect_uri: `${REDIRECT_URI}/` }, 'invalid_grant', otherUri],
      ['a wrong verifier', { code_verifier: `${VERIFIER}x` }, 'invalid_grant', otherVerifier],
      ['a verifier that is too short', { code_verifier: 'short' }, 'invalid_grant', otherVerifier],
      ['no verifier', { code_verifier: '' }, 'invalid_grant', otherVerifier],
      ['no redirect_uri', { redirect_uri: '' }, 'invalid_request', 'The parameter redirect_uri is missing'],
      ['no code', { code: '' }, 'invalid_request', 'The parameter code is missing'],
    ] as const

    it.each(wrong)('refuses %s, says why, and leaves the code unused', async (_, change, error, description) => {
      const request = { ...(await issueCode(stack(), await register(stack()), s256)), code_verifier: VERIFIER }
      const answer = await requestToken(stack(), { ...request, ...change })
      expect(answer).toMatchObject(refusal(error))
      expect(answer.body).toMatchObject({ error_description: description, detail: description })
      expect((await requestToken(stack(), request)).status).toBe(200)
    })

    it('refuses another client and leaves the code unused', async () => {
      const request = await issueCode(stack(), await register(stack()))
      const { credentials } = await register(stack())
      expect(await requestToken(stack(), { ...request, ...credentials })).toMatchObject(refusal('invalid_grant'))
      expect((await requestToken(stack(), request)).status).toBe(200)
    })

    it('refuses a verifier where the authorization request sent no challenge', async () => {
      const request = await issueCode(stack(), await register(stack()))
      const answer = await requestToken(stack(), { ...request, code_verifier: VERIFIER })
      expect(answer).toMatchObject(refusal('invalid_grant'))
    })

    it('refuses a verifier outside 43 to 128 characters, even one that matches', async () => {
      for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}+`]) {
        const challenge = { codeChallenge: challengeOf(verifier), codeChallengeMethod: 'S256' }
        const request = await issueCode(stack(), await register(stack()), challenge)
        const answer = await requestToken(stack(), { ...request, code_verifier: verifier })
        expect(answer).toMatchObject(refusal('invalid_grant'))
      }
    })

    it('says the same of a code of another client, of an unknown code and of a used code', async () => {
      const request = await issueCode(stack(), await register(stack()))
      const { credentials } = await register(stack())
      const others = await requestToken(stack(), { ...request, ...credentials })
      const unknown = await requestToken(stack(), { ...request, code: 'unknown' })
      await requestToken(stack(), request)
      const used = await requestToken(stack(), request)
      const error_description = 'The code or refresh token is invalid, expired, used or meant for another client'
      for (const { body } of [others, unknown, used]) expect(body).toMatchObject({ error_description })
    })

    it('refuses an unknown code and the code of a user who is not active', async () => {
      const registered = await register(stack(), { isActive: false })
      const request = await issueCode(stack(), registered)
      expect(await requestToken(stack(), request)).toMatchObject(refusal('invalid_grant'))
      expect(await requestToken(stack(), { ...request, code: 'unknown' })).toMatchObject(refusal('invalid_grant'))
    })
  })

  describe('Given an authorization request without a redirect_uri', () => {
    it.each([
      ['none', '', 200],
      ['a registered one', 'https://console.example.com/oauth/callback', 200],
      ['an unregistered one', 'https://evil.example.com/', 400],
    ] as const)('answers an exchange that names %s', async (_, redirect_uri, status) => {
      const request = await issueCode(stack(), await register(stack()), { redirectUri: undefined })
      expect((await requestToken(stack(), { ...request, redirect_uri })).status).toBe(status)
    })
  })

  describe('Given a code already used', () => {
    it.each([0, 61])('answers invalid_grant and revokes what it issued, %d seconds later', async (seconds) => {
      const registered = await register(stack())
      const request = await issueCode(stack(), registered)
      const { refresh_token } = tokensIn(await requestToken(stack(), request))
      stack().advance(seconds)
      expect(await requestToken(stack(), request)).toMatchObject(refusal('invalid_grant'))
      const refresh = { ...registered.credentials, grant_type: 'refresh_token', refresh_token }
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
    })

    it('revokes nothing when the replay itself is not valid, nor any other sign-in', async () => {
      const registered = await register(stack())
      const request = await issueCode(stack(), registered)
      const { refresh_token } = tokensIn(await requestToken(stack(), request))
      const other = await signIn(stack(), registered)
      await requestToken(stack(), { ...request, client_secret: 'wrong' })
      await requestToken(stack(), { ...request, redirect_uri: 'https://evil.example.com/' })
      await requestToken(stack(), { ...request, code_verifier: VERIFIER })
      const refresh = { ...registered.credentials, grant_type: 'refresh_token', refresh_token }
      expect((await requestToken(stack(), refresh)).status).toBe(200)
      await requestToken(stack(), request)
      expect((await requestToken(stack(), other.refresh)).status).toBe(200)
    })
  })

  describe('Given a service that is unavailable', () => {
    // [catch signToken.signToken] [threat 15.6a]
    it('answers 503 and leaves the code unused where signing fails', async () => {
      const request = await issueCode(stack(), await register(stack()))
      stack().kms.fail({ operation: 'Sign', times: 3, kind: 'error' })
      const answer = await requestToken(stack(), request)
      expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
      expect(answer.headers.get('retry-after')).toBe('5')
      expect((await requestToken(stack(), request)).status).toBe(200)
    })

    it('answers 503 and leaves the code unused where the store fails in the write that would consume it', async () => {
      const registered = await register(stack())
      const request = await issueCode(stack(), registered)
      stack().database.fail({ operation: 'TransactWriteItems', times: 3, kind: 'error' })
      expect((await requestToken(stack(), request)).status).toBe(503)
      const { refresh_token } = tokensIn(await requestToken(stack(), request))
      const refresh = { ...registered.credentials, grant_type: 'refresh_token', refresh_token }
      expect((await requestToken(stack(), refresh)).status).toBe(200)
    })

    it('answers tokens where the answer to its own write was lost', async () => {
      const request = await issueCode(stack(), await register(stack()))
      stack().database.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
      expect((await requestToken(stack(), request)).status).toBe(200)
    })

    it('signs nothing for a code that has expired', async () => {
      const request = await issueCode(stack(), await register(stack()))
      stack().advance(61)
      stack().kms.reset()
      expect(await requestToken(stack(), request)).toMatchObject(refusal('invalid_grant'))
      expect(stack().kms.calls()).toEqual([])
    })
  })
})
