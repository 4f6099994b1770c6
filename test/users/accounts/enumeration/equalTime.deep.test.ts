/** @derives-each-key */
import { describe, expect, it } from '@jest/globals'
import { PASSWORD, useAccounts } from '../useAccounts.ts'

// A machine that does much else needs all rounds.
const { stack, post, person, newEmail, trySignIn } = useAccounts()

const ROUNDS = 8
const TRIES = 12

async function millisecondsOf(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * The ratio of the medians of two kinds of attempts, the greater over the smaller. They alternate, so that other load slows both
 * down; returns the smallest ratio of several rounds, because noise only adds a difference.
 */
async function ratioOf(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<number> {
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ones, others]: [number[], number[]] = [[], []]
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const turn = [
        () => millisecondsOf(one).then((ms) => ones.push(ms)),
        () => millisecondsOf(other).then((ms) => others.push(ms)),
      ]
      for (const step of attempt % 2 === 0 ? turn : turn.toReversed()) await step()
    }
    const [a, b] = [median(ones), median(others)]
    ratios.push(Math.max(a, b) / Math.min(a, b))
    if ((ratios.at(-1) ?? 2) < 1.25) break
  }
  return Math.min(...ratios)
}

/** Lets the throttle of attempts expire. */
async function quietDay() {
  stack().advance(25 * 3600)
}

describe('The time of an answer does not reveal whether an account exists', () => {
  const limit = 1.3

  it('when a user signs in with a wrong password', async () => {
    const known = await person()
    const attempt = (email: string) => async () => {
      await quietDay()
      await trySignIn(email, 'guessed-password').catch(() => {})
    }
    expect(await ratioOf(attempt(known.email), attempt(newEmail()))).toBeLessThan(limit)
  })

  // [asvs 6.3.8] [threat 84]
  it.each(['/api/auth/password/forgot', '/api/auth/verify/request'])('at POST %s', async (path) => {
    const known = await person({ isVerified: false })
    const request = (email: string) => async () => {
      await quietDay()
      expect((await post(path, { email })).status).toBe(202)
    }
    expect(await ratioOf(request(known.email), request(newEmail()))).toBeLessThan(limit)
  })

  // [asvs 6.3.8]
  it('at POST /api/auth/register', async () => {
    const known = await person()
    const register = (emailOf: () => string) => async () => {
      await quietDay()
      const body = { email: emailOf(), username: `r-${newEmail().slice(0, 8)}`, password: PASSWORD }
      expect((await post('/api/auth/register', body)).status).toBe(202)
    }
    const ratio = await ratioOf(
      register(() => known.email),
      register(newEmail),
    )
    expect(ratio).toBeLessThan(limit)
  })

  it('and the measurement detects the difference that a missing hash makes', async () => {
    const { argon2idPasswords } = await import('../../../support/argon2idPasswords.ts')
    const hash = () => argon2idPasswords.check(PASSWORD, undefined)
    const nothing = async () => {}
    expect(await ratioOf(hash, nothing)).toBeGreaterThan(limit)
  })
})
