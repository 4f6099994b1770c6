import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import type { Secret } from '../../core/secret.ts'
import type { EmailKey } from '../emailKey.ts'
import type { KnownBrowserCookie } from '../ports.ts'

/** How long a browser stays known after a sign-in. Browsers keep a cookie for at most 400 days. */
const KNOWN_BROWSER_SECONDS = 365 * 24 * 60 * 60

/** People use a few accounts in a browser; a cookie has 4 KB. */
const MAX_ACCOUNTS = 8

export interface KnownBrowserDeps {
  /** The signing key. While the key is rotated: the new key, a comma, and the previous key. */
  readonly browserKeys: Secret
  readonly ids: Ids
  readonly clock: Clock
}

/**
 * An account that the browser has signed in to: an id of the sign-in, its expiry, and an HMAC of both and the account. Only a holder of the
 * key who knows the address can learn the account from it. It gives no access: it only decides where tries are counted.
 */
interface Entry {
  readonly id: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly mac: string
}

/**
 * Returns the id of the sign-in by which this browser knows the account; undefined if the browser never signed in to it, or too long ago.
 * @param cookie as the browser sent it: any text
 * @throws CommonError `service_unavailable` if the key cannot be read
 */
export async function recognizeBrowser(
  { browserKeys, clock }: Omit<KnownBrowserDeps, 'ids'>,
  cookie: string | undefined,
  account: EmailKey,
): Promise<string | undefined> {
  const entries = entriesIn(cookie, clock.now())
  if (entries.length === 0) return undefined
  const keys = await keysOf(browserKeys)
  return entries.find((entry) => isOf(entry, account, keys))?.id
}

/**
 * Returns the cookie of a browser after a successful sign-in. From then on tries from this browser are counted separately, under a new id,
 * so earlier tries do not count. The browser still knows its other accounts, up to the 8 newest.
 * @throws CommonError `service_unavailable` if the key cannot be read
 */
export async function rememberBrowser(
  { browserKeys, ids, clock }: KnownBrowserDeps,
  cookie: string | undefined,
  account: EmailKey,
): Promise<KnownBrowserCookie> {
  const keys = await keysOf(browserKeys)
  const [key = ''] = keys
  const named = { id: ids.secret(), expiresAt: Math.floor(clock.now() / 1000) + KNOWN_BROWSER_SECONDS }
  const others = entriesIn(cookie, clock.now()).filter((entry) => !isOf(entry, account, keys))
  const value = [{ ...named, mac: macOf(named, account, key) }, ...others]
    .slice(0, MAX_ACCOUNTS)
    .map(({ id, expiresAt, mac }) => `${id}.${expiresAt}.${mac}`)
    .join('~')
  return { value, maxAgeSeconds: KNOWN_BROWSER_SECONDS }
}

async function keysOf(browserKeys: Secret): Promise<string[]> {
  return (await browserKeys.current()).split(',').map((key) => key.trim())
}

function entriesIn(cookie: string | undefined, now: number): Entry[] {
  if (cookie === undefined) return []
  return cookie
    .split('~', MAX_ACCOUNTS)
    .flatMap((text) => {
      const [, id, expires, mac] = /^([\w-]{43})\.(\d{1,12})\.([\w-]{43})$/.exec(text) ?? []
      return id === undefined || mac === undefined ? [] : [{ id, expiresAt: Number(expires), mac }]
    })
    .filter(({ expiresAt }) => expiresAt * 1000 > now)
}

function isOf(entry: Entry, account: EmailKey, keys: readonly string[]): boolean {
  const given = Buffer.from(entry.mac)
  return keys.some((key) => timingSafeEqual(Buffer.from(macOf(entry, account, key)), given))
}

function macOf({ id, expiresAt }: Omit<Entry, 'mac'>, account: EmailKey, key: string): string {
  return createHmac('sha256', key).update(`known browser\n${id}\n${expiresAt}\n${account}`).digest('base64url')
}
