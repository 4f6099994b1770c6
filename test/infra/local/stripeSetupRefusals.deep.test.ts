import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'

describe('node infra/stripe/stripeSetup.ts', () => {
  const run = (env: Record<string, string>, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('node', ['infra/stripe/stripeSetup.ts', ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    })
    return { status, stdout, stderr: stderr.trim().split('\n') }
  }

  it.each([
    ['no account', {}, [], /which account\?/],
    ['a live key', { STRIPE_SECRET_KEY: 'sk_live_abc' }, [], /key of live mode/],
    ['an invalid address', { STRIPE_SECRET_KEY: 'sk_test_a' }, ['--webhook-url', 'stripe'], /not a URL/],
    ['an emulator that does not answer', { STRIPE_API_BASE: 'http://127.0.0.1:9' }, [], /not set up/],
  ])('exits with 1 and one line of explanation for %s', (_case, env, args, message) => {
    const { status, stdout, stderr } = run(env, ...args)
    expect([status, stdout, stderr.length]).toEqual([1, '', 1])
    expect(stderr[0]).toMatch(message)
  })
})
