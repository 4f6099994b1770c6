import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import * as openid from 'openid-client'
import type { UserId } from '../../../lib/core/ids.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { textOf } from './page.ts'
import { REDIRECT_URI, registerClient, registerUser, SECRET, signInAt } from './people.ts'
import { Visitor } from './visitor.ts'

const stack = useAccountsStack()

/** A client as openid-client sees this service. */
async function openidClient() {
  const client = await registerClient(stack())
  const server = {
    issuer: ISSUER,
    authorization_endpoint: `${stack().baseUrl}/api/oauth/authorize`,
    token_endpoint: `${stack().baseUrl}/api/oauth/token`,
    authorization_response_iss_parameter_supported: true,
  }
  const configuration = new openid.Configuration(server, client.clientId, {}, openid.ClientSecretBasic(SECRET))
  openid.allowInsecureRequests(configuration)
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: REDIRECT_URI,
    scope: 'profile email offline_access',
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  return { configuration, search: url.search, checks }
}

/** From the client's link to its tokens: sign-in, consent, code. */
async function signInThroughBrowser(email: string) {
  const { configuration, visitor, search, exchange } = await consented(email, 'allow')
  return { configuration, visitor, search, tokens: await exchange() }
}

/** Signs a user in for a client and answers its question; `exchange` is what the client does with the response. */
async function consented(email: string, choice: 'allow' | 'deny') {
  const { configuration, search, checks } = await openidClient()
  const visitor = new Visitor(stack().baseUrl)
  const { location } = await signInAt(visitor, search, email)
  const answer = await visitor.submit(location ?? '', await visitor.get(location ?? ''), choice)
  const callback = new URL(answer.location ?? '')
  const exchange = () => openid.authorizationCodeGrant(configuration, callback, checks)
  return { configuration, visitor, search, exchange }
}

/** A new password as its owner sets it, in the console that holds `keptFamily`. */
async function changePassword(userId: UserId, keptFamily?: string): Promise<void> {
  const account = await stack().accounts.find(userId)
  if (!account) throw new Error('no such account')
  const to = { passwordHash: account.passwordHash ?? '', keptFamily }
  expect(await stack().accounts.changePassword(account, to)).toBe('changed')
}

const refresh = async ({ configuration, tokens }: Awaited<ReturnType<typeof signInThroughBrowser>>) =>
  openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')

describe('A sign-in with openid-client', () => {
  it('leads from the client’s link over sign-in and consent to tokens that the API accepts', async () => {
    const user = await registerUser(stack())
    const { tokens, configuration } = await signInThroughBrowser(user.email)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'profile email offline_access' })
    const answer = await openid.fetchProtectedResource(
      configuration,
      tokens.access_token,
      new URL(`${stack().baseUrl}/api/users/me`),
      'GET',
    )
    expect(await answer.json()).toMatchObject({ id: user.id, email: user.email })
  })

  it('returns access_denied to the client where the user cancels', async () => {
    const user = await registerUser(stack())
    const { exchange } = await consented(user.email, 'deny')
    await expect(exchange()).rejects.toMatchObject({
      error: 'access_denied',
      code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
    })
  })

  it('is refused by the client where the response names another issuer (RFC 9207 §2.4)', async () => {
    const { configuration, checks } = await openidClient()
    const callback = new URL(`${REDIRECT_URI}?code=x&state=${checks.expectedState}&iss=https%3A%2F%2Fevil.example.com`)
    await expect(openid.authorizationCodeGrant(configuration, callback, checks)).rejects.toMatchObject({
      code: 'OAUTH_INVALID_RESPONSE',
    })
  })

  it('puts the family of its refresh token into every access token as sid', async () => {
    const user = await registerUser(stack())
    const signedIn = await signInThroughBrowser(user.email)
    const stored = await stack().refreshTokens.find(digestSecret(signedIn.tokens.refresh_token ?? ''))
    expect(decodeJwt(signedIn.tokens.access_token).sid).toBe(stored?.familyId)
    expect(decodeJwt((await refresh(signedIn)).access_token).sid).toBe(stored?.familyId)
  })
})

describe('A new password', () => {
  // [asvs 7.4.3]
  it('ends every session and every refresh token from before (ASVS 5.0 §7.4.3)', async () => {
    const user = await registerUser(stack())
    const [first, second] = [await signInThroughBrowser(user.email), await signInThroughBrowser(user.email)]
    await changePassword(user.id)
    for (const signedIn of [first, second]) {
      await expect(refresh(signedIn)).rejects.toMatchObject({ error: 'invalid_grant' })
      expect(textOf((await signedIn.visitor.get(signedIn.search)).body)).toMatch(/^Sign in/)
    }
  })

  // [asvs 7.4.3]
  it('keeps the family with which it was set, until the next new password', async () => {
    const user = await registerUser(stack())
    const [console, elsewhere] = [await signInThroughBrowser(user.email), await signInThroughBrowser(user.email)]
    await changePassword(user.id, String(decodeJwt(console.tokens.access_token).sid))
    await expect(refresh(elsewhere)).rejects.toMatchObject({ error: 'invalid_grant' })
    const tokens = await refresh(console)
    await changePassword(user.id)
    await expect(refresh({ ...console, tokens })).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('ends a code that was not exchanged yet', async () => {
    const user = await registerUser(stack())
    const { exchange } = await consented(user.email, 'allow')
    await changePassword(user.id)
    await expect(exchange()).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('does not end sessions and families that begin afterwards', async () => {
    const user = await registerUser(stack())
    await changePassword(user.id)
    const signedIn = await signInThroughBrowser(user.email)
    expect((await refresh(signedIn)).access_token).toEqual(expect.any(String))
    expect((await signedIn.visitor.get(signedIn.search)).status).toBe(303)
  })
})
