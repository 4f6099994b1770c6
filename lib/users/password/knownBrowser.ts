import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import type { Secret } from '../../core/secret.ts'
import type { EmailKey } from '../emailKey.ts'
import type { KnownBrowserCookie } from '../ports.ts'

/** How long a browser stays known after a sign-in. Browsers keep no cookie longer than 400 days. */
const KNOWN_BROWSER_SECONDS = 365 * 24 * 60 * 60

/** People use a few accounts in a browser; a cookie has 4 KB. */
const MAX_ACCOUNTS = 8

export interface KnownBrowserDeps {
  /** The key that signs, and after a comma the one before it, while it is rotated. */
  readonly browserKeys: Secret
  readonly ids: Ids
  readonly clock: Clock
}

/**
 * One account that a browser signed in to: an id of the sign-in, when it ends to be known, and an HMAC of both and the account. It names the
 * account only to a holder of the key who knows the address, and opens nothing: it only has tries counted by themselves.
 */
interface Entry {
  readonly id: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly mac: string
}

/**
 * The id of the sign-in by which this browser knows the account; undefined where it never signed in to it, or long ago.
 * @param cookie as the browser sent it, which may be anything
 * @throws CommonError `service_unavailable` where the key cannot be read
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
 * The cookie of a browser that has proved to be the account's user: from now on its tries count by themselves, under a new id, so that
 * earlier ones from here do not. Other accounts that it knows stay known, up to the 8 newest.
 * @throws CommonError `service_unavailable` where the key cannot be read
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
