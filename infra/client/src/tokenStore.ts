/** The tokens of a sign-in. */
export interface Tokens {
  readonly accessToken: string
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly expiresAt: number
  /** Absent if the server issued none: then the sign-in ends with the access token. */
  readonly refreshToken?: string | undefined
  readonly idToken?: string | undefined
}

/** Stores tokens. If tabs share a store, they share a sign-in. */
export interface TokenStore {
  get(): Tokens | undefined | Promise<Tokens | undefined>
  set(tokens: Tokens): void | Promise<void>
  clear(): void | Promise<void>
  /** Calls back after another tab has changed what is stored. A store that tabs do not share leaves it out. */
  subscribe?(changed: () => void): void
}

/** The part of `Storage` that is used. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The page, if a browser runs this. */
const page: typeof globalThis & {
  addEventListener?(type: 'storage', listener: (event: { readonly key: string | null }) => void): void
} = globalThis

/** Keeps texts until the page is left. */
export function memoryStorage(): TextStorage {
  const texts = new Map<string, string>()
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  }
}

/**
 * Keeps tokens in a `Storage`. Do not use `sessionStorage`: a duplicated tab gets a copy of it, and if both tabs refresh more than 30 s
 * apart, the later refresh ends the sign-in of both.
 */
export function storedTokens(storage: TextStorage, key: string): TokenStore {
  return {
    get() {
      const text = storage.getItem(key)
      return text === null ? undefined : JSON.parse(text)
    },
    set: (tokens) => storage.setItem(key, JSON.stringify(tokens)),
    clear: () => storage.removeItem(key),
    subscribe(changed) {
      // Browsers notify the other tabs. If the whole storage was cleared, no key is named.
      page.addEventListener?.('storage', ({ key: name }) => {
        if (name === key || name === null) changed()
      })
    },
  }
}
