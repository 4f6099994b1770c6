import { asDocumented } from './asDocumented.ts'
import { connectWith, type Fetch } from './connect.ts'
import { ConnectionError } from './errors.ts'
import type { CallOf, Methods } from './operation.ts'
import { operationTable } from './operations.ts'
import { type Send, sendWith } from './send.ts'
import { createSession, type EndReason } from './session.ts'
import type { DeviceSignInOptions, SignInOptions } from './signInOptions.ts'
import { memoryStorage, storedTokens, type TextStorage, type TokenStore } from './tokenStore.ts'
import type { TokenUser } from './userOf.ts'

export interface ConsoleClientOptions {
  /** Of the API, such as `https://api.example.com`. */
  readonly baseUrl: string
  /** The issuer of the tokens, if it is not the API's address. */
  readonly issuer?: string | undefined
  /** Of a public client. */
  readonly clientId: string
  /** Of the browser's sign-in; a client for devices has none. */
  readonly redirectUri?: string | undefined
  /** By default `localStorage`, which tabs share, or memory if there is none. */
  readonly tokenStore?: TokenStore | undefined
  /** Remembers a sign-in until the browser returns; by default `sessionStorage`. */
  readonly signInStorage?: TextStorage | undefined
  readonly fetch?: Fetch | undefined
  /** The sign-in has ended, and not by `signOut()` of this client: show a way to sign in. */
  readonly onSignedOut?: ((reason: EndReason) => void) | undefined
  /**
   * Another user has signed in in another tab. This client sends nothing more: each call throws a `UserChangedError`. Hide what you show of
   * the user before, and offer to reload the page.
   */
  readonly onUserChanged?: ((user: TokenUser) => void) | undefined
}

/** Signing in and out, and the call that also returns headers. */
export interface SignInMethods {
  /** Begins a sign-in. Resolves with the address to send the browser to. */
  signIn(options?: SignInOptions): Promise<string>
  /**
   * Ends a sign-in at the redirect URI.
   * @param url the full address with its query
   * @throws an `UnknownSignInError` if it did not begin in this browser; a `SignInRefusedError` if it was refused
   */
  completeSignIn(url: string): Promise<{ readonly returnTo: string | undefined }>
  /**
   * Signs in without a browser here: shows a code, which the user types in a browser anywhere, and waits until the user has decided. For command
   * lines; the client is registered with `--device`.
   * @throws a `SignInRefusedError` `access_denied` or `expired_token`
   */
  deviceSignIn(options: DeviceSignInOptions): Promise<void>
  /** Whether there are tokens that look valid, without asking the server. */
  isSignedIn(): Promise<boolean>
  /**
   * Forgets the tokens, and revokes them if the server can be reached. Resolves with an address that also ends the session at the server:
   * send the browser there. Undefined if the server could not be reached.
   */
  signOut(options?: { readonly postLogoutRedirectUri?: string }): Promise<string | undefined>
  /** As the operation's own method, with status, `etag` and request id. */
  readonly send: Send
}

/** A method for each operation of the API, and those for signing in. */
export type ConsoleClient = Methods & SignInMethods

/** A client for an API and a single user at a time. */
export function createConsoleClient(options: ConsoleClientOptions): ConsoleClient {
  const { clientId, redirectUri = '', onSignedOut, onUserChanged } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const { issuer = baseUrl } = options
  // Looked up at each call, so that a page may replace it later.
  const fetch = connectWith(options.fetch ?? ((input, init) => globalThis.fetch(input, init)))
  const name = `console-backend:${clientId}@${issuer}`
  const store = options.tokenStore ?? storedTokens(globalThis.localStorage ?? memoryStorage(), name)
  const authorization = loadedOnce(async () => {
    const { openAuthorization } = await import('./authorization.ts')
    const storage = options.signInStorage ?? globalThis.sessionStorage ?? memoryStorage()
    return openAuthorization({ issuer, clientId, redirectUri, fetch, storage })
  })
  const refresh = async (refreshToken: string) => (await authorization()).server.refresh(refreshToken)
  const session = createSession({ store, refresh, name, onSignedOut, onUserChanged })
  const send = sendWith({ baseUrl, fetch, session })
  const call: CallOf = async (id, ...given) => (await send(id, ...given)).body

  return {
    ...methodsOf(call),
    send,
    signIn: async (given) => (await authorization()).signIns.start(given),
    async completeSignIn(url) {
      const { signIns } = await authorization()
      const { tokens, returnTo } = await signIns.complete(url)
      await session.begin(tokens)
      return { returnTo }
    },
    deviceSignIn: async (given) => session.begin(await (await authorization()).signInDevice(given)),
    isSignedIn: async () => (await store.get()) !== undefined,
    async signOut({ postLogoutRedirectUri } = {}) {
      const tokens = await session.forget()
      const { server } = await authorization()
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

/** The result of `load`, which a failure does not keep. Pages load this code when they first need it: most requests need none of it. */
function loadedOnce<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loading: Promise<Result> | undefined
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined
      throw new ConnectionError('The code for sign-ins could not be loaded', { cause })
    })
    return loading
  }
}

/** A method for each operation of the document, which calls `call` with its id. The compiler cannot pair the ids with their types in a loop. */
function methodsOf(call: CallOf): Methods {
  const ids = Object.keys(operationTable)
  return asDocumented(
    Object.fromEntries(ids.map((id) => [id, (...given: unknown[]) => asDocumented(call)(id, ...given)])),
  )
}
