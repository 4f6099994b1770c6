import { createPublicKey } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as z from 'zod'
import { contract as jwksContract } from '../../../functions/oauth-jwks/contract.ts'
import { contract as metadataContract } from '../../../functions/oauth-metadata/contract.ts'
import { contract as openidContract } from '../../../functions/openid-configuration/contract.ts'
import { routes } from '../../../infra/data/routes.ts'
import { AUDIENCE, ISSUER, PREVIOUS_TOKEN_KEY, TOKEN_KEY, useAccountsStack } from '../../support/accountsStack.ts'
import { openWorkshop } from '../token/forgeries.ts'
import { register, signIn } from '../token/tokenRequests.ts'
import { discover, fetchFrom } from './stackClient.ts'

const stack = useAccountsStack()

async function get(path: string) {
  const response = await fetch(`${stack().baseUrl}${path}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  return response.json()
}

const documents = [
  ['/.well-known/oauth-authorization-server', metadataContract.responses[200]],
  ['/.well-known/openid-configuration', openidContract.responses[200]],
] as const

describe.each(documents)('GET %s', (path, schema) => {
  it('names the issuer of the tokens, character by character (RFC 8414 §3.3)', async () => {
    const { tokens } = await signIn(stack(), await register(stack()))
    const { claims } = openWorkshop(stack(), tokens.access_token)
    expect(schema.parse(await get(path)).issuer).toBe(claims.iss)
  })

  it('names endpoints that exist, at the issuer’s origin, with their methods (RFC 8414 §2)', async () => {
    const entries = Object.entries(z.record(z.string(), z.unknown()).parse(await get(path)))
    const addresses = entries.filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri')
    expect(addresses.length).toBeGreaterThanOrEqual(5)
    for (const [, address] of addresses) {
      const { origin, pathname } = new URL(z.string().parse(address))
      expect(origin).toBe(ISSUER)
      expect(Object.keys(routes)).toContain(pathname)
    }
  })

  // [asvs 10.6.1]
  it('names what is supported, and nothing else (RFC 8414 §2, RFC 9700 §2.1.1, RFC 9207 §3)', async () => {
    expect(schema.parse(await get(path))).toMatchObject({
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      device_authorization_endpoint: `${ISSUER}/api/oauth/device_authorization`,
      code_challenge_methods_supported: ['S256'],
      ui_locales_supported: ['en', 'de'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    })
  })

  it('has no member that is null or an empty list (RFC 8414 §3.2)', async () => {
    for (const value of Object.values(z.record(z.string(), z.unknown()).parse(await get(path)))) {
      expect(value).not.toBeNull()
      expect(value).not.toEqual([])
    }
  })
})

describe('GET /.well-known/openid-configuration', () => {
  it('is that of an OpenID provider (OpenID Connect Discovery 1.0 §3)', async () => {
    expect(await get('/.well-known/openid-configuration')).toMatchObject({
      userinfo_endpoint: `${ISSUER}/api/oauth/userinfo`,
      end_session_endpoint: `${ISSUER}/api/oauth/logout`,
      scopes_supported: expect.arrayContaining(['openid', 'profile', 'email', 'offline_access', 'billing:read']),
      subject_types_supported: ['public'],
      acr_values_supported: ['aal1', 'aal2'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      claims_supported: expect.arrayContaining([
        'sub',
        'auth_time',
        'nonce',
        'acr',
        'amr',
        'preferred_username',
        'email',
      ]),
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    })
  })

  it('names the algorithms of the keys that are listed, RS256 among them (§3)', async () => {
    const { id_token_signing_alg_values_supported } = openidContract.responses[200].parse(
      await get('/.well-known/openid-configuration'),
    )
    const { keys } = jwksContract.responses[200].parse(await get('/.well-known/jwks.json'))
    expect(id_token_signing_alg_values_supported).toEqual([...new Set(keys.map(({ alg }) => alg))])
    expect(id_token_signing_alg_values_supported).toContain('RS256')
  })
})

describe('GET /.well-known/jwks.json', () => {
  // [asvs 11.2.2]
  it('lists the current key and the previous one, the public halves only (RFC 7517 §5)', async () => {
    const { keys } = jwksContract.responses[200].parse(await get('/.well-known/jwks.json'))
    expect(keys.map(({ kid }) => kid)).toEqual([TOKEN_KEY, PREVIOUS_TOKEN_KEY])
    const [today] = keys
    const spki = createPublicKey({ key: { ...today }, format: 'jwk' }).export({ format: 'der', type: 'spki' })
    expect(spki.toString('base64')).toBe(stack().publicKeySpki)
  })

  it('is enough to verify tokens of both keys by their kid', async () => {
    const { tokens } = await signIn(stack(), await register(stack()))
    const { sign, header, claims } = openWorkshop(stack(), tokens.access_token)
    const before = await sign({ ...header, kid: PREVIOUS_TOKEN_KEY }, claims, PREVIOUS_TOKEN_KEY)
    const jwks = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`), { [customFetch]: fetchFrom(stack()) })
    const currentDate = new Date(stack().clock.now())
    for (const token of [tokens.access_token, before]) {
      const { payload } = await jwtVerify(token, jwks, {
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: 'at+jwt',
        currentDate,
      })
      expect(payload.sub).toBe(claims.sub)
    }
    expect([decodeProtectedHeader(tokens.access_token).kid, decodeProtectedHeader(before).kid]).toEqual([
      TOKEN_KEY,
      PREVIOUS_TOKEN_KEY,
    ])
  })
})

describe('The documents that clients keep', () => {
  it.each(['/.well-known/jwks.json', ...documents.map(([path]) => path)])(
    'answers 304 to a client that has %s already (RFC 9110 §13.1.2)',
    async (path) => {
      const first = await fetch(`${stack().baseUrl}${path}`)
      const etag = first.headers.get('etag') ?? ''
      const again = await fetch(`${stack().baseUrl}${path}`, { headers: { 'if-none-match': etag } })
      expect([again.status, await again.text(), again.headers.get('cache-control')]).toEqual([
        304,
        '',
        'public, max-age=300',
      ])
    },
  )
})

describe('Discovery with a client library', () => {
  it.each(['oauth2', 'oidc'] as const)('is all that openid-client needs (%s)', async (algorithm) => {
    const { credentials } = await register(stack())
    const server = (await discover(stack(), credentials, algorithm)).serverMetadata()
    expect(server).toMatchObject({ issuer: ISSUER, token_endpoint: `${ISSUER}/api/oauth/token` })
    expect(server.supportsPKCE()).toBe(true)
  })

  it.each(['oauth2', 'oidc'] as const)('is all that oauth4webapi needs (%s)', async (algorithm) => {
    const issuer = new URL(ISSUER)
    const response = await oauth.discoveryRequest(issuer, { algorithm, [oauth.customFetch]: fetchFrom(stack()) })
    const server = await oauth.processDiscoveryResponse(issuer, response)
    expect(server.revocation_endpoint).toBe(`${ISSUER}/api/oauth/revoke`)
  })
})
