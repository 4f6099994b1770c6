import { isApiError, NotSignedInError, UserChangedError } from './errors.ts'
import type { TokenStore, Tokens } from './tokenStore.ts'
import { type TokenUser, userOf } from './userOf.ts'

/** The tokens of the user who is signed in, kept fresh. It belongs to the first user whose tokens it reads, until their sign-in ends. */
export interface Session {
  /**
   * An access token that is valid for a few more seconds.
   * @throws a `NotSignedInError` if there is none; a `UserChangedError` if the stored tokens are another user's
   */
  accessToken(): Promise<string>
  /** Another token than the refused token. */
  replace(refused: string): Promise<string>
  /** Stores the tokens of a sign-in. Whose they are is whose session this is from then on. */
  begin(tokens: Tokens): Promise<void>
  /** Forgets the tokens and returns them. Throws a `UserChangedError` if they are another user's. */
  forget(): Promise<Tokens | undefined>
}

/** Why a sign-in ended without `signOut()`: the server refused its tokens, or another tab signed out. */
export type EndReason = 'refused' | 'signed_out_elsewhere'

interface SessionOptions {
  readonly store: TokenStore
  /** Exchanges a refresh token. Throws an `ApiError` `invalid_grant` if it is no longer valid. */
  readonly refresh: (refreshToken: string) => Promise<Tokens>
  /** Of the lock that tabs share. */
  readonly name: string
  readonly onSignedOut?: ((reason: EndReason) => void) | undefined
  readonly onUserChanged?: ((user: TokenUser) => void) | undefined
}

/** Refreshed before it ends, so that it does not end on its way. */
const marginMs = 20_000

/** When many calls in any number of tabs need a token at once, they refresh it once. */
export function createSession({ store, refresh, name, onSignedOut, onUserChanged }: SessionOptions): Session {
  const exclusively = oneAtATime(name)
  let flight: Promise<string> | undefined
  let userId: string | undefined

  /** The stored tokens; undefined if there are none. Another tab may have changed them. */
  async function own(): Promise<Tokens | undefined> {
    const tokens = await store.get()
    if (tokens === undefined) {
      const wasSignedIn = userId !== undefined
      userId = undefined
      if (wasSignedIn) onSignedOut?.('signed_out_elsewhere')
      return undefined
    }
    const user = userOf(tokens)
    userId ??= user.id
    if (user.id === userId) return tokens
    onUserChanged?.(user)
    throw new UserChangedError('Another user has signed in in another tab')
  }

  async function stored(): Promise<Tokens> {
    const tokens = await own()
    if (tokens === undefined) throw new NotSignedInError('No user is signed in')
    return tokens
  }

  store.subscribe?.(() => {
    if (userId !== undefined) void own().catch(() => undefined)
  })

  async function renewed(isUsable: (tokens: Tokens) => boolean): Promise<string> {
    const tokens = await stored()
    // Another tab was first.
    if (isUsable(tokens)) return tokens.accessToken
    const next = await refreshed(tokens)
    await store.set(next)
    return next.accessToken
  }

  async function refreshed(tokens: Tokens): Promise<Tokens> {
    if (tokens.refreshToken === undefined) return end(undefined)
    try {
      return { ...tokens, ...(await refresh(tokens.refreshToken)) }
    } catch (cause) {
      // Anything else says nothing of the tokens: they are tried again at the next call.
      if (isApiError(cause, 'invalid_grant')) return end(cause)
      throw cause
    }
  }

  async function end(cause: unknown): Promise<never> {
    await store.clear()
    userId = undefined
    onSignedOut?.('refused')
    throw new NotSignedInError('The sign-in has ended', { cause })
  }

  function renew(isUsable: (tokens: Tokens) => boolean): Promise<string> {
    flight ??= exclusively(() => renewed(isUsable)).finally(() => {
      flight = undefined
    })
    return flight
  }

  return {
    async accessToken() {
      const tokens = await stored()
      return isFresh(tokens) ? tokens.accessToken : renew(isFresh)
    },
    replace: (refused) => renew((tokens) => isFresh(tokens) && tokens.accessToken !== refused),
    begin: (tokens) =>
      exclusively(async () => {
        await store.set(tokens)
        userId = userOf(tokens).id
      }),
    forget: () =>
      exclusively(async () => {
        const tokens = await own()
        await store.clear()
        userId = undefined
        return tokens
      }),
  }
}

function isFresh({ expiresAt }: Tokens): boolean {
  return Date.now() < expiresAt - marginMs
}

/** One at a time: across tabs if the browser has locks, else in this page. */
function oneAtATime(name: string): <Result>(change: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return async (change) => {
    const { locks } = globalThis.navigator ?? {}
    if (locks !== undefined) return await locks.request(name, change)
    const mine = last.then(change)
    last = mine.catch(() => undefined)
    return mine
  }
}
