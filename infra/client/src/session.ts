import { isApiError, NotSignedInError } from './errors.ts'
import type { TokenStore, Tokens } from './tokenStore.ts'

/** The tokens of the user who is signed in, kept fresh. */
export interface Session {
  /** An access token that is valid for a few more seconds. Throws a `NotSignedInError` if there is none. */
  accessToken(): Promise<string>
  /** Another token than the refused token. */
  replace(refused: string): Promise<string>
  /** Runs alone, in every tab of this browser, and apart from refreshes. */
  exclusively<Result>(change: () => Promise<Result>): Promise<Result>
}

interface SessionOptions {
  readonly store: TokenStore
  /** Exchanges a refresh token. Throws an `ApiError` `invalid_grant` if it is no longer valid. */
  readonly refresh: (refreshToken: string) => Promise<Tokens>
  /** Of the lock that tabs share. */
  readonly name: string
  readonly onSignedOut?: (() => void) | undefined
}

/** Refreshed before it ends, so that it does not end on its way. */
const marginMs = 20_000

/** When many calls in any number of tabs need a token at once, they refresh it once. */
export function createSession({ store, refresh, name, onSignedOut }: SessionOptions): Session {
  const exclusively = oneAtATime(name)
  let flight: Promise<string> | undefined

  async function renewed(isUsable: (tokens: Tokens) => boolean): Promise<string> {
    const tokens = await store.get()
    if (tokens === undefined) throw new NotSignedInError('No user is signed in')
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
    onSignedOut?.()
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
      const tokens = await store.get()
      if (tokens === undefined) throw new NotSignedInError('No user is signed in')
      return isFresh(tokens) ? tokens.accessToken : renew(isFresh)
    },
    replace: (refused) => renew((tokens) => isFresh(tokens) && tokens.accessToken !== refused),
    exclusively,
  }
}

function isFresh({ expiresAt }: Tokens): boolean {
  return Date.now() < expiresAt - marginMs
}

/** One at a time: across tabs if the browser has locks, else in this page. */
function oneAtATime(name: string): Session['exclusively'] {
  let last: Promise<unknown> = Promise.resolve()
  return async (change) => {
    const { locks } = globalThis.navigator ?? {}
    if (locks !== undefined) return await locks.request(name, change)
    const mine = last.then(change)
    last = mine.catch(() => undefined)
    return mine
  }
}
