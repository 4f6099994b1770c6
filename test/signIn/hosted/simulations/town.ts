import { randomBytes, randomUUID } from 'node:crypto'
import type { Caller } from '../../../../lib/core/identity.ts'
import { userIdSchema } from '../../../../lib/core/ids.ts'
import { fixedSecret } from '../../../../lib/core/secret.ts'
import { networkOf } from '../../../../lib/http/security/clientNetwork.ts'
import { type EmailKey, emailKey } from '../../../../lib/users/emailKey.ts'
import { TooManyAttemptsError, UserError } from '../../../../lib/users/errors.ts'
import { withCurrentPassword } from '../../../../lib/users/password/changePassword.ts'
import { rememberBrowser } from '../../../../lib/users/password/knownBrowser.ts'
import { signIn } from '../../../../lib/users/password/signIn.ts'
import type { Account } from '../../../../lib/users/ports.ts'
import { type Guard, withoutGuard } from './guards.ts'
import { inMemoryGuesses } from './inMemoryGuesses.ts'

const START = Date.UTC(2026, 10, 2, 0, 0, 0)
export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
const KEY = 'key of the simulations'

/** What became of a try: in, wrong, or refused for so many seconds. */
export type Outcome = 'in' | 'wrong' | number

/** A browser at an address, which keeps its cookie where it keeps cookies. */
export interface Browser {
  address: string
  cookie?: string | undefined
  readonly keepsCookies?: boolean
}

/** People with accounts, whose password is `right`, and what signs them in: the product's own use cases over counts in memory. */
export function createTown(without?: Guard) {
  let now = START
  const clock = { now: () => now, sync: async () => {} }
  const guesses = withoutGuard(inMemoryGuesses(), without, START)
  const byEmail = new Map<EmailKey, Account>()
  const ids = { uuid: () => randomUUID(), secret: () => randomBytes(32).toString('base64url') }
  const passwords = {
    hash: async (password: string) => password,
    check: async (password: string, hash: string | undefined) => ({ isRight: password === hash, isOutdated: false }),
  }
  const accounts = {
    async findCaller({ userId }: Caller): Promise<Account> {
      const account = [...byEmail.values()].find(({ user }) => user.id === userId)
      if (account === undefined) throw new Error('no such account')
      return account
    },
    findByEmail: async (key: EmailKey) => byEmail.get(key),
    rehash: async () => {},
  }
  const deps = { accounts, passwords, guesses, clock, ids, browserKeys: fixedSecret(KEY) }

  /** The deps, where what is removed is part of them. */
  const depsFor = (email: string, browser: Browser) => {
    const cookie = without === 'known browsers count by themselves' ? undefined : browser.cookie
    if (without !== 'a known browser names its account' || cookie === undefined) return { deps, cookie }
    // Whatever account the browser is known for counts as this one.
    return { deps, cookie: rememberBrowser(deps, undefined, emailKey(email)).then(({ value }) => value) }
  }

  async function attempt(email: string, password: string, browser: Browser): Promise<Outcome> {
    const { cookie } = depsFor(email, browser)
    const sourceIp = without === 'a network is one address' ? browser.address : networkOf(browser.address)
    try {
      const signedIn = await signIn(deps, { email, password, sourceIp, knownBrowser: await cookie })
      if (browser.keepsCookies !== false) browser.cookie = signedIn.knownBrowser.value
      return 'in'
    } catch (error) {
      if (error instanceof TooManyAttemptsError) {
        if (without === 'a refused address does not count for the account') {
          await guesses.count({ kind: 'account', subject: emailKey(email) }, { limit: 50, now })
        }
        return error.retryAfterSeconds
      }
      if (error instanceof UserError && error.code === 'wrong_credentials') return 'wrong'
      throw error
    }
  }

  return {
    /** Seconds since the town was founded. */
    time: () => (now - START) / 1000,
    /** Waits until so many seconds after the founding. */
    waitUntil(seconds: number) {
      now = Math.max(now, START + Math.round(seconds * 1000))
    },
    /** A new account. */
    settle(email: string) {
      const id = userIdSchema.parse(randomUUID())
      const flags = { isActive: true, isVerified: true, isSuperuser: false }
      const user = { id, email, username: id, createdAt: START, ...flags }
      const rest = { securityRev: 0, keptFamily: undefined, formerEmails: [] }
      const account = { user, passwordHash: 'right', ...rest }
      byEmail.set(emailKey(email), account)
      return { userId: id, email }
    },
    attempt,
    /** Resets the password with the link of a mail, which makes this browser known. */
    async reset(email: string, browser: Browser) {
      const account = byEmail.get(emailKey(email))
      if (account === undefined) throw new Error('no such account')
      browser.cookie = (await rememberBrowser(deps, browser.cookie, emailKey(email))).value
    },
    /** Whether a signed-in user with this password may change it, as `Outcome` says. */
    async confirm(signedIn: { userId: string; session: string }, password: string): Promise<Outcome> {
      try {
        const userId = userIdSchema.parse(signedIn.userId)
        await withCurrentPassword(deps, { userId, securityRev: 0, familyId: signedIn.session }, password)
        return 'in'
      } catch (error) {
        if (error instanceof TooManyAttemptsError) return error.retryAfterSeconds
        if (error instanceof UserError && error.code === 'wrong_password') return 'wrong'
        throw error
      }
    },
  }
}

export type Town = ReturnType<typeof createTown>

/** The most of these times that are in any 24 hours. */
export function mostInADay(times: readonly number[]): number {
  let from = 0
  let most = 0
  times.forEach((time, index) => {
    while ((times[from] ?? time) <= time - DAY) from += 1
    most = Math.max(most, index - from + 1)
  })
  return most
}

/** An IPv4 address by its number. */
export const address = (number: number) => `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
