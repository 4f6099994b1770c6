import { cp, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as openid from 'openid-client'
import * as z from 'zod'
import { fetched, run } from '../../../infra/openapi/clients/run.ts'
import { refusalOf } from './library.ts'
import type { FetchedLibrary } from './programs.ts'

/** What is used of the package, which brings no types. */
interface SimpleOauth2 {
  readonly AuthorizationCode: new (options: {
    client: { id: string; secret: string }
    auth: { tokenHost: string; tokenPath: string; revokePath: string; authorizePath: string }
    options: { bodyFormat: 'form' | 'json'; authorizationMethod: 'header' | 'body' }
  }) => {
    authorizeURL(parameters: Record<string, string>): string
    getToken(parameters: { code: string; redirect_uri: string; code_verifier: string }): Promise<AccessToken>
  }
}

interface AccessToken {
  readonly token: Record<string, unknown>
  refresh(): Promise<AccessToken>
  revoke(type: 'access_token' | 'refresh_token'): Promise<unknown>
}

/** The package and its own have a lock file of their own, so that `npm ci` installs them only for this. */
const locked = join(import.meta.dirname, 'simple-oauth2')
const { dependencies } = z
  .object({ dependencies: z.object({ 'simple-oauth2': z.string() }) })
  .parse(JSON.parse(await readFile(join(locked, 'package.json'), 'utf8')))

const metadata = z.object({
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
})
const tokenAnswer = z.object({ access_token: z.string() })

/** @see {@link libraryWith} */
export const simpleOauth2 = libraryWith({ bodyFormat: 'form', authorizationMethod: 'header' })
export const simpleOauth2WithJson = libraryWith({ bodyFormat: 'json', authorizationMethod: 'body' })

/** Knows neither discovery nor PKCE: the document is read for it, and the verifier is a parameter like any other. */
function libraryWith(options: { bodyFormat: 'form' | 'json'; authorizationMethod: 'header' | 'body' }): FetchedLibrary {
  let library: SimpleOauth2
  return {
    name: `simple-oauth2 (${options.bodyFormat})`,
    version: dependencies['simple-oauth2'],
    async prepare(directory) {
      await cp(locked, directory, { recursive: true })
      await fetched(() => run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory }))
      library = createRequire(join(directory, 'package.json'))('simple-oauth2')
    },
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
      const client = new library.AuthorizationCode({
        client: { id: clientId, secret: clientSecret },
        auth,
        options: clientSecret === '' ? { ...options, authorizationMethod: 'body' } : options,
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
}
