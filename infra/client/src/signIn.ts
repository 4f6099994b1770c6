import * as oauth from 'oauth4webapi'
import { asDocumented } from './asDocumented.ts'
import type { AuthorizationServer } from './authorizationServer.ts'
import { SignInRefusedError, UnknownSignInError } from './errors.ts'
import type { SignInOptions } from './signInOptions.ts'
import type { TextStorage, Tokens } from './tokenStore.ts'

export interface CompletedSignIn {
  readonly tokens: Tokens
  readonly returnTo: string | undefined
}

export interface SignIns {
  /** Begins a sign-in. Returns the address that the browser goes to. */
  start(options?: SignInOptions): Promise<string>
  /**
   * Completes a sign-in.
   * @param url the address that the browser returned to
   * @throws an `UnknownSignInError` if it did not begin here; a `SignInRefusedError` if it was refused
   */
  complete(url: string): Promise<CompletedSignIn>
}

/** The state that is kept until the browser returns. */
interface PendingSignIn {
  readonly codeVerifier: string
  readonly returnTo?: string
}

/** The authorization code flow with PKCE. Pending sign-ins are kept by their `state`, so that tabs and attempts do not interfere. */
export function signInsWith(server: AuthorizationServer, redirectUri: string, storage: TextStorage): SignIns {
  const keyOf = (state: string) => `console-backend:sign-in:${state}`

  const completing = new Map<string, Promise<CompletedSignIn>>()

  function take(state: string): PendingSignIn | undefined {
    const key = keyOf(state)
    const text = storage.getItem(key)
    storage.removeItem(key)
    return text === null ? undefined : asDocumented(JSON.parse(text))
  }

  return {
    async start({ returnTo, parameters = {} } = {}) {
      const { authorization_endpoint = '' } = await server.metadata()
      const codeVerifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const pending: PendingSignIn = { codeVerifier, ...(returnTo !== undefined && { returnTo }) }
      storage.setItem(keyOf(state), JSON.stringify(pending))
      const url = new URL(authorization_endpoint)
      const request = {
        ...parameters,
        ...{ response_type: 'code', client_id: server.client.client_id, redirect_uri: redirectUri, state },
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(request)) url.searchParams.set(name, value)
      return url.href
    },

    complete(address) {
      // A page that is set up twice, as React does while developing, asks twice at once.
      const underWay = completing.get(address) ?? finish(new URL(address)).finally(() => completing.delete(address))
      completing.set(address, underWay)
      return underWay
    },
  }

  async function finish(url: URL): Promise<CompletedSignIn> {
    const state = url.searchParams.get('state') ?? ''
    const pending = take(state)
    if (pending === undefined) throw new UnknownSignInError('This sign-in did not begin here')
    const { codeVerifier, returnTo } = pending
    const parameters = await server.checkReturn(url, state).catch((error: unknown) => {
      if (!(error instanceof oauth.AuthorizationResponseError)) throw error
      throw new SignInRefusedError(error.error, error.error_description ?? error.message, returnTo)
    })
    return { tokens: await server.exchange(parameters, codeVerifier), returnTo }
  }
}
