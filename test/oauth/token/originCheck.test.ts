import { beforeEach, describe, expect, it } from '@jest/globals'
import { originsOf } from '../../../lib/oauth/client/clientOrigins.ts'
import { createOriginCheck } from '../../../lib/oauth/client/originCheck.ts'
import type { RedirectPolicy } from '../../../lib/oauth/client/redirectUri.ts'

const CONSOLE = 'https://console.example.com'

let now: number
let reads: number
let stored: () => Promise<readonly string[]>
let warnings: string[]

beforeEach(() => {
  now = 1_000_000
  reads = 0
  warnings = []
  stored = async () => [CONSOLE, 'http://127.0.0.1:8080', 'http://localhost:5173']
})

function check(redirectPolicy: RedirectPolicy = 'exact') {
  return createOriginCheck({
    origins: {
      list: (signal) => {
        reads += 1
        return Promise.race([stored(), new Promise<never>((_, reject) => signal.addEventListener('abort', reject))])
      },
    },
    clock: { now: () => now, sync: async () => {} },
    logger: { info: () => {}, warn: (...[message]) => void warnings.push(message), error: () => {} },
    redirectPolicy,
  })
}

describe('The origins of pages that may call the API', () => {
  it('are those of registered clients, character for character', async () => {
    const allows = check()
    expect(await allows(CONSOLE)).toBe(true)
    for (const other of [
      'null',
      'https://console.example.com:8443',
      'http://console.example.com',
      'https://CONSOLE.example.com',
      `${CONSOLE}/`,
      '',
    ]) {
      expect([other, await allows(other)]).toEqual([other, false])
    }
  })

  it('are compared as redirect URIs are: the port of a loopback address is free on a stage for development', async () => {
    const at = async (redirectPolicy: RedirectPolicy, origin: string) => check(redirectPolicy)(origin)
    expect(await at('exact', 'http://127.0.0.1:49152')).toBe(false)
    expect(await at('development', 'http://127.0.0.1:49152')).toBe(true)
    expect(await at('development', 'http://localhost:49152')).toBe(false)
    expect(await at('development', 'http://localhost:5173')).toBe(true)
    expect(await at('development', 'http://127.0.0.2:8080')).toBe(false)
  })

  it('are read once for all requests of 30 seconds', async () => {
    const allows = check()
    await Promise.all(Array.from({ length: 20 }, () => allows(CONSOLE)))
    now += 29_999
    await allows(CONSOLE)
    expect(reads).toBe(1)
    stored = async () => []
    now += 1
    expect([await allows(CONSOLE), reads]).toEqual([false, 2])
  })

  // [catch originCheck.read]
  it('are those read last while they cannot be read, and none before', async () => {
    const allows = check()
    const working = stored
    stored = () => Promise.reject(new Error('unavailable'))
    expect(await allows(CONSOLE)).toBe(false)
    stored = working
    expect(await allows(CONSOLE)).toBe(true)
    stored = () => Promise.reject(new Error('unavailable'))
    now += 3_600_000
    expect(await allows(CONSOLE)).toBe(true)
    expect(warnings).toEqual(['Origins of clients not read', 'Origins of clients not read'])
  })

  it('do not hold a request up for more than a second', async () => {
    stored = () => new Promise(() => {})
    const started = performance.now()
    expect(await check()(CONSOLE)).toBe(false)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('The origins of a client', () => {
  const client = {
    disabled: false,
    redirectUris: [`${CONSOLE}/callback`, `${CONSOLE}/other`, 'com.example.app:/callback'],
    postLogoutRedirectUris: ['http://127.0.0.1:8080/signed-out'],
  }

  it('are those of its redirect and post-logout URIs, each once, and an app has none', () => {
    expect(originsOf(client)).toEqual(['http://127.0.0.1:8080', CONSOLE])
  })

  it('are none while it is disabled', () => {
    expect(originsOf({ ...client, disabled: true })).toEqual([])
  })
})
