import * as openid from 'openid-client'
import { AuthorizationCode } from 'simple-oauth2'
import * as z from 'zod'
import { type OauthLibrary, refusalOf } from './library.ts'

const metadata = z.object({
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
})
const tokenAnswer = z.object({ access_token: z.string() })

/** Knows neither discovery nor PKCE: the document is read for it, and the verifier is a parameter like any other. */
export const simpleOauth2: OauthLibrary = {
  name: 'simple-oauth2',
  async signIn({ issuer, client: { clientId, clientSecret, redirectUri }, visit, emailOf }) {
    const document = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    const endpoints = metadata.parse(await document.json())
    const pathOf = (endpoint: string) => new URL(endpoint).pathname
    const auth = {
      tokenHost: new URL(endpoints.token_endpoint).origin,
      tokenPath: pathOf(endpoints.token_endpoint),
      revokePath: pathOf(endpoints.revocation_endpoint),
      authorizePath: pathOf(endpoints.authorization_endpoint),
    }
    const client = new AuthorizationCode({
      client: { id: clientId, secret: clientSecret },
      auth,
      options: { bodyFormat: 'form', authorizationMethod: clientSecret === '' ? 'body' : 'header' },
    })
    const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()]
    const link = client.authorizeURL({
      redirect_uri: redirectUri,
      scope: 'profile',
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const { searchParams } = await visit(link)
    if (searchParams.get('state') !== state) throw new Error('another state came back')
    const code = searchParams.get('code') ?? ''
    const exchange = { code, redirect_uri: redirectUri, code_verifier: verifier }
    const tokens = await client.getToken(exchange)
    const signedIn = await emailOf(tokenAnswer.parse(tokens.token).access_token)
    const next = await tokens.refresh()
    const refreshed = await emailOf(tokenAnswer.parse(next.token).access_token)
    await next.revoke('refresh_token')
    return { signedIn, refreshed, refusal: await refusalOf(next.refresh()) }
  },
}
