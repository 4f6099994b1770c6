import { describe, expect, it } from '@jest/globals'
import { ids } from '../../../lib/adapters/random/ids.ts'
import { fixedSecret } from '../../../lib/core/secret.ts'
import { knownBrowserCookie, readKnownBrowserCookie } from '../../../lib/http/security/cookies.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { recognizeBrowser, rememberBrowser } from '../../../lib/users/password/knownBrowser.ts'

const DAY = 86_400_000
const account = emailKey('owner@example.com')
const accountNumber = (number: number) => emailKey(`person-${number}@example.com`)

function at(day: number, key = 'key') {
  return { browserKeys: fixedSecret(key), ids, clock: { now: () => day * DAY, sync: async () => {} } }
}

/** The cookie of a browser that signed in to these accounts, one after the other. */
async function cookieOf(accounts: readonly ReturnType<typeof emailKey>[], deps = at(0)) {
  let cookie: string | undefined
  for (const one of accounts) cookie = (await rememberBrowser(deps, cookie, one)).value
  return cookie
}

describe('A browser', () => {
  it('is known for the accounts that signed in there, each by an id of its own, and for no other', async () => {
    const cookie = await cookieOf([account, accountNumber(1)])
    const known = [account, accountNumber(1)].map((one) => recognizeBrowser(at(1), cookie, one))
    expect(new Set(await Promise.all([...known, recognizeBrowser(at(1), cookie, accountNumber(2))])).size).toBe(3)
    expect(await recognizeBrowser(at(1), cookie, accountNumber(2))).toBeUndefined()
  })

  it('gets a new id with each sign-in, and is known for a year after it', async () => {
    const first = await cookieOf([account])
    const again = (await rememberBrowser(at(300), first, account)).value
    expect(await recognizeBrowser(at(364), first, account)).toBe(first?.slice(0, 43))
    expect(await recognizeBrowser(at(365), first, account)).toBeUndefined()
    expect(await recognizeBrowser(at(365), again, account)).toBe(again.slice(0, 43))
    expect(again).not.toContain(first?.slice(0, 43))
  })

  it('is known for the eight accounts that signed in last, in less than a cookie holds', async () => {
    const cookie = await cookieOf(Array.from({ length: 10 }, (_, number) => accountNumber(number)))
    const known = await Promise.all(
      Array.from({ length: 10 }, (_, number) => recognizeBrowser(at(0), cookie, accountNumber(number))),
    )
    expect(known.map((id) => id !== undefined)).toEqual([false, false, ...Array<boolean>(8).fill(true)])
    expect(knownBrowserCookie({ value: cookie ?? '', maxAgeSeconds: 1 }).length).toBeLessThan(1024)
  })

  it('stays known while the key is rotated, and not after', async () => {
    const cookie = await cookieOf([account])
    expect(await recognizeBrowser(at(0, 'new, key\n'), cookie, account)).toBeDefined()
    expect(await recognizeBrowser(at(0, 'new'), cookie, account)).toBeUndefined()
    const renewed = (await rememberBrowser(at(0, 'new,key'), cookie, account)).value
    expect(await recognizeBrowser(at(0, 'new'), renewed, account)).toBeDefined()
  })

  it.each([
    ['another id', (cookie: string) => cookie.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))],
    ['a later end', (cookie: string) => cookie.replace(/\.\d+\./, '.99999999999.')],
    ['no HMAC', (cookie: string) => cookie.replace(/[^.]*$/, '')],
    ['anything', () => '~.~;%00'],
  ])('is not known by a cookie with %s', async (_, forge) => {
    const cookie = (await cookieOf([account])) ?? ''
    expect(await recognizeBrowser(at(0), forge(cookie), account)).toBeUndefined()
    expect(await recognizeBrowser(at(0), cookie, account)).toBeDefined()
  })

  it('has a cookie that names no one, of this host alone', async () => {
    const value = (await cookieOf([account])) ?? ''
    expect(Buffer.from(value, 'base64url').toString() + value).not.toContain('owner')
    const cookie = knownBrowserCookie({ value, maxAgeSeconds: 60 })
    expect(cookie).toBe(`__Host-known-browser=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=60`)
    expect(readKnownBrowserCookie({ cookies: ['other=1', cookie.split(';')[0] ?? ''] })).toBe(value)
    expect(readKnownBrowserCookie({})).toBeUndefined()
  })
})
