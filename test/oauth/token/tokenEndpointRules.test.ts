import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { issueCode, refusal, register, requestToken, SECRET, signIn, tokensIn, VERIFIER } from './tokenRequests.ts'

const stack = useAccountsStack()
const s256 = {
  codeChallenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  codeChallengeMethod: 'S256',
}

/** Sends a body as it is, to the token endpoint with this query. */
async function send(body: string, headers: Record<string, string> = {}, query = '', method = 'POST') {
  const response = await fetch(`${stack().baseUrl}/api/oauth/token${query}`, {
    method,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    ...(method !== 'GET' && { body }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: z.record(z.string(), z.unknown()).parse(await response.json()),
  }
}
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

describe('The token endpoint keeps the MUSTs of its specifications', () => {
  describe('RFC 6749 §2.3: client authentication', () => {
    // [asvs 14.2.1] [threat 12]
    it('§2.3.1: accepts no credentials in the query', async () => {
      const { client_id, client_secret, ...request } = await issueCode(stack(), await register(stack()))
      const answer = await send(form(request), {}, `?${form({ client_id, client_secret })}`)
      expect(answer).toMatchObject(refusal('invalid_request'))
    })

    it('§2.3.1: accepts HTTP Basic with any percent-encoding of the credentials', async () => {
      const registered = await register(stack())
      const { client_id, client_secret, ...request } = await issueCode(stack(), registered)
      const every = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
      const authorization = `Basic ${Buffer.from(`${every(client_id)}:${every(client_secret)}`).toString('base64')}`
      expect(await send(form(request), { authorization })).toMatchObject({ status: 200 })
    })

    // [threat 15.8c]
    it('§2.3.1: takes a public client that sends HTTP Basic with an empty secret for what it is', async () => {
      const registered = await register(stack(), { isPublic: true })
      const { client_id, client_secret: _, ...code } = await issueCode(stack(), registered, s256)
      const request = form({ ...code, code_verifier: VERIFIER })
      expect(await send(request, basic(client_id, 'guess'))).toMatchObject(refusal('invalid_client'))
      const { status, body } = await send(request, basic(client_id, ''))
      expect(status).toBe(200)
      const refresh = form({ grant_type: 'refresh_token', refresh_token: String(body.refresh_token) })
      expect(await send(refresh, basic(client_id, ''))).toMatchObject({ status: 200 })
    })

    // [asvs 10.4.10]
    it('§2.3.1: refuses a confidential client that sends HTTP Basic with an empty secret, and an unknown one', async () => {
      const { client_id, client_secret: _, ...request } = await issueCode(stack(), await register(stack()))
      for (const id of [client_id, 'unknown']) {
        const answer = await send(form(request), basic(id, ''))
        expect(answer).toMatchObject(refusal('invalid_client'))
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
      }
    })

    // [threat 13]
    it('§2.3: refuses more than one method of authentication in one request', async () => {
      const request = await issueCode(stack(), await register(stack()))
      const both = await send(form(request), basic(request.client_id, request.client_secret))
      expect(both).toMatchObject(refusal('invalid_request'))
    })

    // [asvs 10.4.10]
    it('§3.2.1: refuses a confidential client that does not authenticate', async () => {
      const { client_secret: _, ...request } = await issueCode(stack(), await register(stack()))
      expect(await requestToken(stack(), request)).toMatchObject(refusal('invalid_client'))
      expect(await requestToken(stack(), { ...request, client_secret: 'guess' })).toMatchObject(
        refusal('invalid_client'),
      )
    })
  })

  describe('RFC 6749 §3.2 and §3.3: the request', () => {
    // [asvs 4.1.4]
    it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('§3.2: answers 405 with Allow to %s', async (method) => {
      const { status, headers } = await send('', {}, '', method)
      expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    })

    it('§3.2: ignores unknown parameters, repeated ones too', async () => {
      const request = await issueCode(stack(), await register(stack()))
      expect(await send(`${form(request)}&resource=a&resource=b&nonce=1`)).toMatchObject({ status: 200 })
    })

    it('§3.2: treats a parameter without a value as omitted', async () => {
      const request = await issueCode(stack(), await register(stack()))
      expect(await send(`${form(request)}&code_verifier=&scope=`)).toMatchObject({ status: 200 })
    })

    // [asvs 15.3.7] [threat 12]
    it('§3.2: refuses a parameter that is repeated', async () => {
      const request = await issueCode(stack(), await register(stack()))
      for (const [name, value] of Object.entries(request)) {
        expect(await send(`${form(request)}&${form({ [name]: value })}`)).toMatchObject(refusal('invalid_request'))
      }
    })

    it('§3.3: returns the granted scope where it is not the requested one', async () => {
      const registered = await register(stack())
      const { refresh } = await signIn(stack(), registered, { scope: 'profile billing' })
      const narrowed = tokensIn(await requestToken(stack(), { ...refresh, scope: 'billing' }))
      expect(narrowed.scope).toBe('billing')
    })
  })

  describe('RFC 6749 §5.1 and §5.2: the response', () => {
    it.each(['json', 'form', 'basic'] as const)(
      '§5.1: is JSON with no-store and expires_in as a number, to %s',
      async (as) => {
        const { status, headers, body } = await requestToken(
          stack(),
          await issueCode(stack(), await register(stack())),
          as,
        )
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { token_type: 'Bearer', expires_in: expect.any(Number) },
        })
        expect(headers.get('content-type')).toMatch(/^application\/json(;|$)/)
        expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
        expect(Object.values(Object(body))).not.toContain(null)
      },
    )

    it('§5.2: answers 401 with a challenge of the scheme that the client used', async () => {
      const { credentials } = await register(stack())
      const answer = await send('grant_type=refresh_token', basic(credentials.client_id, 'wrong'))
      expect(answer).toMatchObject(refusal('invalid_client'))
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    })

    it('§5.2: names and describes an error in the characters that are allowed, with no-store', async () => {
      const { credentials } = await register(stack())
      const requests = [
        {},
        { grant_type: 'x' },
        { grant_type: 'authorization_code', code: '"\\é' },
        { grant_type: 'refresh_token' },
      ]
      for (const request of requests) {
        const { status, headers, body } = await send(form({ ...credentials, ...request }))
        expect(status).toBe(400)
        expect(headers.get('cache-control')).toBe('no-store')
        for (const text of [body.error, body.error_description])
          expect(text).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
      }
    })
  })

  describe('RFC 9700 §2.1.2 and §2.4: deprecated grants', () => {
    it.each(['password', 'implicit', 'token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'])(
      '§2.4: does not offer %s',
      async (grant_type) => {
        const { credentials } = await register(stack())
        const request = { ...credentials, grant_type, username: 'demo-owner', password: SECRET }
        expect(await requestToken(stack(), request)).toMatchObject(refusal('unsupported_grant_type'))
      },
    )
  })
})
