import { beforeAll, describe, expect, it } from '@jest/globals'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { queryOf, REDIRECT_URI, registerClient, responseIn, signedInVisitor } from './people.ts'
import { Visitor } from './visitor.ts'

const stack = useAccountsStack()
let visitor: Visitor
let client: OAuthClient

beforeAll(async () => {
  const signedIn = await signedInVisitor(stack())
  visitor = signedIn.visitor
  client = signedIn.client
})

/** A page without a redirect, to every browser. */
async function expectErrorPage(query: string): Promise<void> {
  for (const browser of [visitor, new Visitor(stack().baseUrl)]) {
    const { status, headers, location, body } = await browser.get(query)
    expect({ status, location }).toEqual({ status: 400, location: null })
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(body).not.toContain('evil')
    expect(body).not.toContain('<form')
  }
}

describe('GET /api/oauth/authorize', () => {
  describe('Given a client or a redirect URI that is not known', () => {
    it.each([
      ['unknown', { client_id: 'evil-client' }],
      ['missing', { client_id: '' }],
      ['no id at all', { client_id: '../evil' }],
    ])('answers an error page and no redirect where client_id is %s (RFC 6749 §4.1.2.1)', async (_, change) => {
      await expectErrorPage(queryOf(client, change))
    })

    // [asvs 15.3.7] [threat 10]
    it('answers an error page where client_id or redirect_uri is repeated (RFC 6749 §3.1)', async () => {
      await expectErrorPage(`${queryOf(client)}&client_id=${client.clientId}`)
      await expectErrorPage(`${queryOf(client)}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`)
      await expectErrorPage(`${queryOf(client)}&redirect_uri=https%3A%2F%2Fevil.example.com`)
    })

    it('treats a disabled client like an unknown one', async () => {
      const disabled = await registerClient(stack(), { disabled: true })
      await expectErrorPage(queryOf(disabled))
      const { body } = await visitor.get(queryOf(disabled))
      expect(body).toBe((await visitor.get(queryOf({ clientId: 'unknown' }))).body)
    })

    // [asvs 3.7.2 10.4.1] [threat 1]
    it.each([
      ['is missing', ''],
      ['has another path below it', `${REDIRECT_URI}/more`],
      ['is a prefix', 'https://console.example.com/oauth'],
      ['ends in a slash', `${REDIRECT_URI}/`],
      ['has another case', 'https://console.example.com/OAuth/callback'],
      ['has its host in another case', 'https://CONSOLE.example.com/oauth/callback'],
      ['has a query', `${REDIRECT_URI}?next=evil`],
      ['has a fragment', `${REDIRECT_URI}#evil`],
      ['names a user', 'https://console.example.com@evil.example.com/oauth/callback'],
      ['names a port', 'https://console.example.com:444/oauth/callback'],
      ['is http', 'http://console.example.com/oauth/callback'],
      ['climbs', 'https://console.example.com/oauth/evil/../callback'],
      ['is encoded otherwise', 'https://console.example.com/oauth/%63allback'],
      ['has a line break', `${REDIRECT_URI}\r\nlocation: https://evil.example.com`],
      ['has a zero byte', `${REDIRECT_URI}\0evil`],
      ['is a domain that begins like it', 'https://console.example.com.evil.example.com/oauth/callback'],
      ['is relative', '//evil.example.com/oauth/callback'],
      ['is a script', 'javascript:evil()'],
      ['is data', 'data:text/html,evil'],
      ['is elsewhere', 'https://evil.example.com/'],
    ])('answers an error page where redirect_uri %s (RFC 9700 §2.1, exact match)', async (_, redirect_uri) => {
      await expectErrorPage(queryOf(client, { redirect_uri }))
    })
  })

  describe('Given a known client, its redirect URI and an error in another parameter', () => {
    const faults = [
      ['response_type is missing', 'RFC 6749 §4.1.2.1', { response_type: '' }, 'invalid_request'],
      ['response_type is unknown', 'RFC 6749 §4.1.2.1', { response_type: 'evil' }, 'unsupported_response_type'],
      [
        'response_type is token, the implicit grant',
        'RFC 9700 §2.1.2',
        { response_type: 'token' },
        'unsupported_response_type',
      ],
      ['response_type is several', 'RFC 9700 §2.1.2', { response_type: 'code token' }, 'unsupported_response_type'],
      [
        'response_mode is not query',
        'OAuth 2.0 Multiple Response Types §2.1',
        { response_mode: 'fragment' },
        'invalid_request',
      ],
      ['scope is malformed', 'RFC 6749 §3.3', { scope: 'a"b' }, 'invalid_scope'],
      ['scope is not ASCII', 'RFC 6749 §3.3', { scope: 'größe' }, 'invalid_scope'],
      ['scope is unknown', 'RFC 6749 §4.1.2.1', { scope: 'openid admin' }, 'invalid_scope'],
      ['scope has another case', 'RFC 6749 §3.3', { scope: 'OpenID' }, 'invalid_scope'],
      ['code_challenge is missing', 'RFC 7636 §4.4.1, RFC 9700 §2.1.1', { code_challenge: '' }, 'invalid_request'],
      ['code_challenge is too short', 'RFC 7636 §4.4.1', { code_challenge: 'short' }, 'invalid_request'],
      ['code_challenge_method is plain', 'ASVS 5.0 §10.4.6', { code_challenge_method: 'plain' }, 'invalid_request'],
      [
        'code_challenge_method is missing, which means plain',
        'RFC 7636 §4.3',
        { code_challenge_method: '' },
        'invalid_request',
      ],
      ['prompt is unknown', 'OpenID Connect Core §3.1.2.1', { prompt: 'evil' }, 'invalid_request'],
      ['prompt is none beside another', 'OpenID Connect Core §3.1.2.1', { prompt: 'none login' }, 'invalid_request'],
      ['max_age is no number', 'OpenID Connect Core §3.1.2.1', { max_age: '-1' }, 'invalid_request'],
    ] as const

    // [asvs 10.4.4 10.4.6 10.4.12] [threat 19]
    it.each(faults)('redirects with error, state and iss where %s (%s)', async (_, _rule, change, error) => {
      const answer = await visitor.get(queryOf(client, change))
      expect(responseIn(answer)).toEqual({
        error,
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
        state: 'state of the client',
        iss: ISSUER,
      })
    })

    // [threat 11]
    it.each(['response_type', 'scope', 'code_challenge', 'code_challenge_method', 'prompt', 'response_mode'])(
      'redirects with invalid_request where %s is repeated (RFC 6749 §3.1)',
      async (name) => {
        const answer = await visitor.get(`${queryOf(client, { [name]: 'x' })}&${name}=x`)
        expect(responseIn(answer)).toMatchObject({ error: 'invalid_request', state: 'state of the client' })
      },
    )

    // [asvs 10.4.11]
    it('redirects with invalid_scope where the client is not registered for a scope', async () => {
      const limited = await registerClient(stack(), { scopes: ['openid', 'email'] })
      expect(responseIn(await visitor.get(queryOf(limited, { scope: 'openid profile' })))).toMatchObject({
        error: 'invalid_scope',
      })
      expect((await visitor.get(queryOf(limited, { scope: 'openid email' }))).status).toBe(200)
    })

    // [threat 11]
    it('does not echo a state that is repeated (RFC 6749 §3.1)', async () => {
      const answer = await visitor.get(`${queryOf(client)}&state=another`)
      expect(responseIn(answer)).toEqual({
        error: 'invalid_request',
        error_description: expect.any(String),
        iss: ISSUER,
      })
    })

    it('redirects with unauthorized_client where the client may not use codes (RFC 6749 §4.1.2.1)', async () => {
      const other = await registerClient(stack(), { grantTypes: ['refresh_token'] })
      expect(responseIn(await visitor.get(queryOf(other)))).toMatchObject({ error: 'unauthorized_client' })
    })

    // [asvs 2.3.1] [threat 5]
    it('asks a visitor to sign in before it redirects with an error (RFC 9700 §4.11.2)', async () => {
      const query = queryOf(client, { response_type: 'token' })
      const { status, location, body } = await new Visitor(stack().baseUrl).get(query)
      expect({ status, location }).toEqual({ status: 200, location: null })
      expect(body).toContain('type="password"')
    })

    it('redirects at once where the request has prompt=none (RFC 9700 §4.11.2)', async () => {
      const stranger = new Visitor(stack().baseUrl)
      const query = queryOf(client, { prompt: 'none', code_challenge_method: 'plain' })
      expect(responseIn(await stranger.get(query))).toMatchObject({ error: 'invalid_request', iss: ISSUER })
    })
  })

  describe('Given parameters without a meaning', () => {
    it('ignores unknown parameters, repeated or not, and treats an empty one as omitted (RFC 6749 §3.1)', async () => {
      const { status } = await visitor.get(`${queryOf(client)}&unknown=1&unknown=2&scope=&prompt=`)
      expect(status).toBe(200)
    })
  })

  describe('Given a redirect URI with a query', () => {
    it('keeps it and appends the response (RFC 6749 §3.1.2)', async () => {
      const redirectUri = 'https://console.example.com/callback?tenant=a%2Fb&x='
      const other = await registerClient(stack(), { redirectUris: [redirectUri], firstParty: true })
      const answer = await visitor.get(queryOf(other, { redirect_uri: redirectUri }))
      expect(answer.location).toMatch(`${redirectUri}&code=`)
      expect(responseIn(answer, redirectUri)).toMatchObject({
        tenant: 'a/b',
        state: 'state of the client',
        iss: ISSUER,
      })
    })
  })

  describe('Given any answer', () => {
    // [asvs 3.4.2]
    it('allows no other origin to read it (RFC 9700 §2.6: no CORS)', async () => {
      for (const query of [queryOf(client), queryOf(client, { prompt: 'none' }), '']) {
        const { headers } = await visitor.get(query)
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    })
  })
})
