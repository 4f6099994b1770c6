import { describe, expect, it } from '@jest/globals'
import { PASSWORD, queryOf, registerClient, registerUser } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'

// A machine that does much else needs all rounds.
const stack = useAccountsStack()
const unknown = 'unknown@example.com'

const ROUNDS = 8
const TRIES = 8

/** A browser at the sign-in page, and three who cannot get in: one with a wrong password, one switched off, and one without an account. */
async function refused() {
  const [user, off, client] = await Promise.all([
    registerUser(stack()),
    registerUser(stack(), { isActive: false }),
    registerClient(stack()),
  ])
  const visitor = new Visitor(stack().baseUrl)
  const query = queryOf(client)
  const page = await visitor.get(query)
  /** Attempts are throttled by address too: each is a day after the last. */
  const attempt = (email: string, password: string) => {
    stack().advance(25 * 3600)
    return visitor.submit(query, page, 'login', { fields: { email, password } })
  }
  const attempts = {
    known: () => attempt(user.email, 'guessed-password'),
    unknown: () => attempt(unknown, 'guessed-password'),
    off: () => attempt(off.email, PASSWORD),
  }
  return { attempts, emails: [user.email, unknown, off.email] }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** How far apart the medians are, the greatest over the smallest; of several rounds the quietest counts, for noise only adds. */
async function spreadOf(runs: readonly (() => Promise<unknown>)[]): Promise<number> {
  let quietest = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && quietest >= 1.25; round += 1) {
    const times = runs.map((): number[] => [])
    for (let turn = 0; turn < TRIES * runs.length; turn += 1) {
      const started = performance.now()
      await runs[turn % runs.length]?.()
      times[turn % runs.length]?.push(performance.now() - started)
    }
    const medians = times.map(median)
    quietest = Math.min(quietest, Math.max(...medians) / Math.min(...medians))
  }
  return quietest
}

describe('The sign-in form does not disclose whether there is an account', () => {
  // [asvs 6.3.8] [threat 83]
  it('by status, headers or page', async () => {
    const { attempts, emails } = await refused()
    const answers = await Promise.all(Object.values(attempts).map((attempt) => attempt()))
    const seen = answers.map(({ status, headers, body, location }) => {
      const named = Object.fromEntries(headers)
      const { date: _d, 'apigw-requestid': _g, 'x-request-id': _r, 'content-length': _l, ...others } = named
      return { status, location, others, page: emails.reduce((page, email) => page.replaceAll(email, ''), body) }
    })
    expect(seen[0]?.status).toBe(400)
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
  })

  // [asvs 6.3.8] [threat 83]
  it('by its calls to the store', async () => {
    const { attempts } = await refused()
    const operations: string[][] = []
    for (const attempt of Object.values(attempts)) {
      stack().database.reset()
      await attempt()
      const calls = stack().database.calls()
      operations.push(calls.map(({ operation }) => operation))
    }
    expect(operations[0]).not.toEqual([])
    expect(new Set(operations.map((list) => list.join())).size).toBe(1)
  })

  // [asvs 6.3.8] [threat 83]
  it('by its response time', async () => {
    const { attempts } = await refused()
    expect(await spreadOf(Object.values(attempts))).toBeLessThan(1.3)
  })
})
