import { authorizationServer } from './authorizationServer.ts'
import { connectWith, type Fetch } from './connect.ts'
import type { CallOf, Methods } from './operation.ts'
import { methodsOf } from './operations.ts'
import { type Send, sendWith } from './send.ts'
import { createSession } from './session.ts'
import { signInsWith } from './signIn.ts'
import type { SignInOptions } from './signInOptions.ts'
import { memoryStorage, storedTokens, type TextStorage, type TokenStore } from './tokenStore.ts'

export interface ConsoleClientOptions {
  /** Of the API, such as `https://api.example.com`. */
  readonly baseUrl: string
  /** Of the tokens, where it is not the API's own address. */
  readonly issuer?: string | undefined
  /** Of a public client. */
  readonly clientId: string
  readonly redirectUri: string
  /** `localStorage` where left out, which tabs share; in memory where there is none. */
  readonly tokenStore?: TokenStore | undefined
  /** Where a sign-in is remembered until the browser comes back: `sessionStorage` where left out. */
  readonly signInStorage?: TextStorage | undefined
  readonly fetch?: Fetch | undefined
  /** The sign-in has ended, and not by `signOut()`: show a way to sign in. */
  readonly onSignedOut?: (() => void) | undefined
}

/** Signing in and out, and the one call that answers with headers too. */
export interface SignInMethods {
  /** Begins a sign-in. Resolves with the address to send the browser to. */
  signIn(options?: SignInOptions): Promise<string>
  /**
   * Ends a sign-in at the redirect URI.
   * @param url the address there, with its query
   * @throws an `UnknownSignInError` where it did not begin in this browser; a `SignInRefusedError` where it was refused
   */
  completeSignIn(url: string): Promise<{ readonly returnTo: string | undefined }>
  /** Whether there are tokens: good ones, as far as can be said without asking. */
  isSignedIn(): Promise<boolean>
  /**
   * Forgets the tokens, and revokes them where the server can be reached. Resolves with the address that ends the session at the server
   * too, to send the browser to; undefined where the server could not be asked for it.
   */
  signOut(options?: { readonly postLogoutRedirectUri?: string }): Promise<string | undefined>
  /** As the operation's own method, with status, `etag` and request id. */
  readonly send: Send
}

/** A method for each operation of the API, and those for signing in. */
export type ConsoleClient = Methods & SignInMethods

/** A client of one API and one user at a time. */
export function createConsoleClient(options: ConsoleClientOptions): ConsoleClient {
  const { clientId, redirectUri, onSignedOut } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const { issuer = baseUrl } = options
  // Looked up at each call, so that a page may replace it later.
  const fetch = connectWith(options.fetch ?? ((input, init) => globalThis.fetch(input, init)))
  const name = `console-backend:${clientId}@${issuer}`
  const store = options.tokenStore ?? storedTokens(globalThis.localStorage ?? memoryStorage(), name)
  const server = authorizationServer({ issuer, clientId, redirectUri, fetch })
  const signIns = signInsWith(
    server,
    redirectUri,
    options.signInStorage ?? globalThis.sessionStorage ?? memoryStorage(),
  )
  const session = createSession({ store, refresh: server.refresh, name, onSignedOut })
  const send = sendWith({ baseUrl, fetch, session })
  const call: CallOf = async (id, ...given) => (await send(id, ...given)).body

  return {
    ...methodsOf(call),
    send,
    signIn: signIns.start,
    async completeSignIn(url) {
      const { tokens, returnTo } = await signIns.complete(url)
      await session.exclusively(async () => store.set(tokens))
      return { returnTo }
    },
    isSignedIn: async () => (await store.get()) !== undefined,
    async signOut({ postLogoutRedirectUri } = {}) {
      const tokens = await session.exclusively(async () => {
        const tokens = await store.get()
        await store.clear()
        return tokens
      })
      // Without an answer the tokens end by themselves, and this browser no longer has them.
      if (tokens?.refreshToken !== undefined) await server.revoke(tokens.refreshToken).catch(() => undefined)
      const metadata = await server.metadata().catch(() => undefined)
      if (metadata?.end_session_endpoint === undefined) return undefined
      const url = new URL(metadata.end_session_endpoint)
      url.searchParams.set('client_id', clientId)
      if (postLogoutRedirectUri !== undefined) url.searchParams.set('post_logout_redirect_uri', postLogoutRedirectUri)
      if (tokens?.idToken !== undefined) url.searchParams.set('id_token_hint', tokens.idToken)
      return url.href
    },
  }
}
