import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { requireTestKey } from './requireTestKey.ts'

describe('The key of npm run test:stripe', () => {
  it.each(['sk_test_51Abc', 'rk_test_51Abc'])('may be %s', (key) => {
    expect(() => requireTestKey(key)).not.toThrow()
  })

  it.each([
    ['sk_live_51Abc', 'live mode'],
    ['rk_live_51Abc', 'live mode'],
    ['pk_test_51Abc', 'no key of test mode'],
    ['', 'no key of test mode'],
  ])('may not be "%s"', (key, message) => {
    expect(() => requireTestKey(key)).toThrow(message)
  })

  it('is refused with one line, before anything is sent', () => {
    const env = { PATH: process.env.PATH ?? '', STRIPE_SECRET_KEY: 'sk_live_51Abc' }
    const { status, stdout, stderr } = spawnSync('node', [join(import.meta.dirname, 'run.ts')], {
      env,
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('is a key of live mode')])
  })
})
