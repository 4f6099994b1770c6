import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { AuthorizationCode } from 'simple-oauth2'
import * as z from 'zod'
import { demoClient, demoPublicClient } from '../../infra/data/demo.ts'
import { localClient } from '../../infra/local/localClient.ts'
import { signUp } from '../../infra/local/sampleAccounts.ts'
import { type LocalStack, startStack } from '../../infra/local/stack.ts'
import { textOf } from '../authorize/page.ts'
import { Visitor } from '../authorize/visitor.ts'
import { signInAndAllow, signOut } from './walk.ts'

let stack: LocalStack

beforeAll(async () => {
  stack = await startStack({ quiet: true, schedules: false })
})
afterAll(() => stack?.close())

const clients = [
  { kind: 'confidential', ...demoClient },
  { kind: 'public', clientSecret: '', ...demoPublicClient },
] as const

const tokenAnswer = z.object({ access_token: z.string(), refresh_token: z.string(), scope: z.string() })

/** A user who has just registered and verified their email address, and their browser. */
async function newUser() {
  const { email } = await signUp(localClient(stack.info))
  return { email, visitor: new Visitor(stack.info.base_url) }
}

/** The user that the API identifies by a token. */
async function emailOf(access_token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${access_token}` }
  const response = await fetch(`${stack.info.base_url}/api/users/me`, { headers })
  return z.object({ email: z.string() }).parse(await response.json()).email
}

describe.each(clients)('A person signs in from a $kind client', (registered) => {
  const { clientId, clientSecret, redirectUri, postLogoutRedirectUri } = registered
  const isPublic = registered.kind === 'public'

  // [asvs 10.1.2]
  it('with openid-client and discovery, until they sign out', async () => {
    const { email, visitor } = await newUser()
    const authentication = isPublic ? openid.None() : openid.ClientSecretBasic(clientSecret)
    const configuration = await openid.discovery(new URL(stack.info.base_url), clientId, {}, authentication, {
      execute: [openid.allowInsecureRequests],
    })
    const checks = { pkceCodeVerifier: openid.randomPKCECodeVerifier(), expectedState: openid.randomState() }
    const link = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'profile',
      state: checks.expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const callback = await signInAndAllow(visitor, link.href, email)
    const tokens = await openid.authorizationCodeGrant(configuration, callback, checks)
    expect(await emailOf(tokens.access_token)).toBe(email)

    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(await emailOf(refreshed.access_token)).toBe(email)
    await openid.tokenRevocation(configuration, refreshed.refresh_token ?? '')
    const again = openid.refreshTokenGrant(configuration, refreshed.refresh_token ?? '')
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' })

    const parameters = { post_logout_redirect_uri: postLogoutRedirectUri, state: 'out' }
    const end = openid.buildEndSessionUrl(configuration, parameters)
    expect(await signOut(visitor, end.href)).toBe(`${postLogoutRedirectUri}?state=out`)
    expect(textOf((await visitor.get(link.search)).body)).toMatch(/^Sign in/)
  })

  it('with oauth4webapi and discovery, until it revokes its tokens', async () => {
    const { email, visitor } = await newUser()
    const options = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(stack.info.base_url)
    const found = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(issuer, found)
    const client = { client_id: clientId }
    const authentication = isPublic ? oauth.None() : oauth.ClientSecretPost(clientSecret)
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const link = `${server.authorization_endpoint}?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'profile',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })}`
    const callback = await signInAndAllow(visitor, link, email)
    const sent = oauth.validateAuthResponse(server, client, callback, state)
    const trade = [server, client, authentication] as const
    const answer = await oauth.authorizationCodeGrantRequest(...trade, sent, redirectUri, verifier, options)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer)
    expect(await emailOf(tokens.access_token)).toBe(email)

    const refresh = async (refreshToken = '') =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(...trade, refreshToken, options),
      )
    const refreshed = await refresh(tokens.refresh_token)
    expect(await emailOf(refreshed.access_token)).toBe(email)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(...trade, refreshed.refresh_token ?? '', options),
    )
    await expect(refresh(refreshed.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('with simple-oauth2 and configured endpoints, until it revokes its tokens', async () => {
    const { email, visitor } = await newUser()
    const verifier = openid.randomPKCECodeVerifier()
    const auth = {
      tokenHost: stack.info.base_url,
      tokenPath: '/api/oauth/token',
      revokePath: '/api/oauth/revoke',
      authorizePath: '/api/oauth/authorize',
    }
    const client = new AuthorizationCode({
      client: { id: clientId, secret: clientSecret },
      auth,
      options: { bodyFormat: 'form', authorizationMethod: isPublic ? 'body' : 'header' },
    })
    const link = client.authorizeURL({
      redirect_uri: redirectUri,
      scope: 'profile',
      state: 'mine',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const { searchParams } = await signInAndAllow(visitor, link, email)
    expect(searchParams.get('state')).toBe('mine')
    const parameters = { code: searchParams.get('code') ?? '', redirect_uri: redirectUri, code_verifier: verifier }
    const tokens = await client.getToken(parameters)
    expect(await emailOf(tokenAnswer.parse(tokens.token).access_token)).toBe(email)

    const refreshed = await tokens.refresh()
    expect(await emailOf(tokenAnswer.parse(refreshed.token).access_token)).toBe(email)
    await refreshed.revoke('refresh_token')
    await expect(refreshed.refresh()).rejects.toThrow('400')
  })
})
