import { describe, expect, it } from '@jest/globals'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { race } from '../../support/race.ts'
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

describe('The grants keep the MUSTs of their specifications', () => {
  describe('RFC 6749 §4.1.2 and §4.1.3: a code', () => {
    // [asvs 10.4.2]
    it('§4.1.2: is valid once, and a second use revokes the tokens of the first', async () => {
      const registered = await register(stack())
      const request = await issueCode(stack(), registered)
      const { refresh_token } = tokensIn(await requestToken(stack(), request))
      expect(await requestToken(stack(), request)).toMatchObject(refusal('invalid_grant'))
      const refresh = { ...registered.credentials, grant_type: 'refresh_token', refresh_token }
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
    })

    // [asvs 2.3.4]
    it('§4.1.2: is valid once, also for many requests at the same time', async () => {
      const request = await issueCode(stack(), await register(stack()))
      const answers = await race(() => requestToken(stack(), request))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(refusal('invalid_grant'))
    })

    // [threat 24]
    it('OAuth 2.1 §4.1.3: stays unused after a request that is refused', async () => {
      const request = await issueCode(stack(), await register(stack()), s256)
      const sound = { ...request, code_verifier: VERIFIER }
      const changes = [
        { client_secret: 'wrong' },
        { code_verifier: VERIFIER.toUpperCase() },
        { redirect_uri: `${REDIRECT_URI}/` },
      ]
      for (const change of changes) expect((await requestToken(stack(), { ...sound, ...change })).status).not.toBe(200)
      expect((await requestToken(stack(), sound)).status).toBe(200)
    })

    // [asvs 10.4.3] [threat 23]
    it('§4.1.2: expires, after 60 seconds of the 10 minutes at most', async () => {
      const request = await issueCode(stack(), await register(stack()))
      stack().advance(61)
      expect(await requestToken(stack(), request)).toMatchObject(refusal('invalid_grant'))
    })

    it('§4.1.3: is refused from a client that it was not issued to', async () => {
      const request = await issueCode(stack(), await register(stack()))
      const { credentials } = await register(stack())
      expect(await requestToken(stack(), { ...request, ...credentials })).toMatchObject(refusal('invalid_grant'))
    })

    it('§4.1.3: needs the redirect_uri of the authorization request, the same character by character', async () => {
      const request = await issueCode(stack(), await register(stack()))
      const { redirect_uri, ...bare } = request
      expect(await requestToken(stack(), bare)).toMatchObject(refusal('invalid_request'))
      for (const other of [`${redirect_uri}/`, `${redirect_uri}?`, redirect_uri.toUpperCase()]) {
        expect(await requestToken(stack(), { ...request, redirect_uri: other })).toMatchObject(refusal('invalid_grant'))
      }
      expect((await requestToken(stack(), request)).status).toBe(200)
    })
  })

  describe('RFC 6749 §6 and RFC 9700 §4.14.2: refresh tokens', () => {
    it('RFC 6749 §6: are refused from another client', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      const { credentials } = await register(stack())
      expect(await requestToken(stack(), { ...refresh, ...credentials })).toMatchObject(refusal('invalid_grant'))
    })

    // [threat 27]
    it('RFC 6749 §6: never widen the scope', async () => {
      const { refresh } = await signIn(stack(), await register(stack()), { scope: 'profile' })
      expect(await requestToken(stack(), { ...refresh, scope: 'profile admin' })).toMatchObject(
        refusal('invalid_scope'),
      )
    })

    // [asvs 2.3.4]
    it('RFC 9700 §4.14.2: have one successor, also for many requests at the same time, and later ones end the family', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      const answers = await race(() => requestToken(stack(), refresh))
      const [refresh_token = '', ...rest] = new Set(answers.map((answer) => tokensIn(answer).refresh_token))
      expect(rest).toEqual([])
      stack().advance(60)
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
      expect(await requestToken(stack(), { ...refresh, refresh_token })).toMatchObject(refusal('invalid_grant'))
    })

    // [asvs 7.3.2 10.4.8] [threat 26]
    it('RFC 9700 §4.14.2: expire, 30 days after the sign-in, however often they are rotated', async () => {
      const { refresh } = await signIn(stack(), await register(stack()))
      stack().advance(29 * 24 * 60 * 60)
      const { refresh_token } = tokensIn(await requestToken(stack(), refresh))
      stack().advance(24 * 60 * 60 + 1)
      expect(await requestToken(stack(), { ...refresh, refresh_token })).toMatchObject(refusal('invalid_grant'))
    })

    // [asvs 10.4.5] [threat 25]
    it('RFC 9700 §4.14.2: rotate for public clients, and the use of an old one ends the family', async () => {
      const registered = await register(stack(), { isPublic: true })
      const request = { ...(await issueCode(stack(), registered, s256)), code_verifier: VERIFIER }
      const first = tokensIn(await requestToken(stack(), request))
      const refresh = { ...registered.credentials, grant_type: 'refresh_token', refresh_token: first.refresh_token }
      const second = tokensIn(await requestToken(stack(), refresh))
      expect(second.refresh_token).not.toBe(first.refresh_token)
      stack().advance(60)
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
      const newest = { ...refresh, refresh_token: second.refresh_token }
      expect(await requestToken(stack(), newest)).toMatchObject(refusal('invalid_grant'))
    })
  })

  describe('RFC 7636 and RFC 9700 §2.1.1: PKCE', () => {
    // [asvs 10.4.6] [threat 20]
    it('RFC 7636 §4.6: needs the verifier where a challenge was sent, and a wrong one leaves the code unused', async () => {
      const request = await issueCode(stack(), await register(stack()), s256)
      expect(await requestToken(stack(), request)).toMatchObject(refusal('invalid_grant'))
      const wrong = { ...request, code_verifier: VERIFIER.toUpperCase() }
      expect(await requestToken(stack(), wrong)).toMatchObject(refusal('invalid_grant'))
      expect((await requestToken(stack(), { ...request, code_verifier: VERIFIER })).status).toBe(200)
    })

    it.each(['-'.repeat(42), '-'.repeat(129), `${'a'.repeat(43)}+`])(
      'RFC 7636 §4.1: refuses the ill-formed verifier %p, even where it matches',
      async (code_verifier) => {
        const request = await issueCode(stack(), await register(stack()), {
          ...s256,
          codeChallenge: challengeOf(code_verifier),
        })
        expect(await requestToken(stack(), { ...request, code_verifier })).toMatchObject(refusal('invalid_grant'))
      },
    )

    // [threat 21]
    it('RFC 9700 §2.1.1: refuses a verifier where no challenge was sent', async () => {
      const request = await issueCode(stack(), await register(stack()))
      expect(await requestToken(stack(), { ...request, code_verifier: VERIFIER })).toMatchObject(
        refusal('invalid_grant'),
      )
    })

    // [threat 22]
    it('RFC 9700 §2.1.1: gives no code to a public client without a challenge, and none with plain', async () => {
      const registered = await register(stack(), { isPublic: true })
      await expect(issueCode(stack(), registered)).rejects.toMatchObject({ code: 'invalid_request' })
      const plain = { codeChallenge: VERIFIER, codeChallengeMethod: 'plain' }
      await expect(issueCode(stack(), registered, plain)).rejects.toMatchObject({ code: 'invalid_request' })
    })
  })
})
