import { describe, expect, it } from '@jest/globals'
import { emailKey } from '../../../lib/users/emailKey.ts'
import type { GuessSubject } from '../../../lib/users/ports.ts'
import { argon2idPasswords } from '../../support/argon2idPasswords.ts'
import { errorBody } from '../../support/errorBody.ts'
import { race } from '../../support/race.ts'
import { useUpGuesses } from '../../support/useUpGuesses.ts'
import { OTHER_PASSWORD, PASSWORD, useAccounts } from './useAccounts.ts'

const { stack, post, person, stored, newEmail, trySignIn } = useAccounts()

const wrong = { code: 'wrong_credentials' }
const refused = { code: 'too_many_attempts' }

let addresses = 0
/** An unused source IP. */
const newSourceIp = () => {
  addresses += 1
  return `198.51.100.${addresses}`
}

/** The outcome of an attempt: the user's id, or the error's code and delay. */
async function outcome(email: string, password: string, sourceIp = newSourceIp()): Promise<unknown> {
  return trySignIn(email, password, sourceIp).then(
    ({ id }) => id,
    ({ code, retryAfterSeconds }) => (retryAfterSeconds === undefined ? code : `${code} ${retryAfterSeconds}`),
  )
}

async function fail(times: number, email: string, sourceIp?: string) {
  for (let attempt = 0; attempt < times; attempt += 1) {
    await expect(trySignIn(email, 'guessed-password', sourceIp ?? newSourceIp())).rejects.toMatchObject(wrong)
  }
}

describe('Signing in', () => {
  // [asvs 6.2.8]
  it('accepts the address in any case, and the password unchanged', async () => {
    const { email, userId } = await person()
    expect(await trySignIn(` ${email.toUpperCase()} `, PASSWORD)).toMatchObject({ id: userId })
    await expect(trySignIn(email, PASSWORD.toUpperCase())).rejects.toMatchObject(wrong)
  })

  it('is refused with the same error to a stranger, a wrong password, and an inactive user', async () => {
    const [someUser, inactive] = [await person(), await person({ isActive: false })]
    const attempts = [
      [newEmail(), PASSWORD],
      [someUser.email, OTHER_PASSWORD],
      [inactive.email, PASSWORD],
      ['no address at all', PASSWORD],
      ['x'.repeat(30_000), PASSWORD],
    ] as const
    for (const [email, password] of attempts) expect(await outcome(email, password)).toBe('wrong_credentials')
  })

  it('is refused to a user without a password', async () => {
    const { userId } = await person()
    const user = await stack().users.find(userId)
    if (user === undefined) throw new Error('the user is gone')
    const email = newEmail()
    await stack().users.create({ ...user, id: (await person()).userId, email }, undefined)
    expect(await outcome(email, '')).toBe('wrong_credentials')
  })

  // [asvs 11.2.2]
  it('rehashes the password when its parameters are outdated, and only then', async () => {
    // "password", hashed with 64 MiB.
    const passwordHash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    const someUser = await person({ passwordHash })
    await expect(trySignIn(someUser.email, 'guessed-password')).rejects.toMatchObject(wrong)
    expect(await stored(someUser.userId)).toMatchObject({ passwordHash })
    await trySignIn(someUser.email, 'password')
    const after = await stored(someUser.userId)
    expect(await argon2idPasswords.check('password', after.passwordHash)).toEqual({ isRight: true, isOutdated: false })
    expect(after).toMatchObject({ securityRev: 0 })
    await trySignIn(someUser.email, 'password')
    expect(await stored(someUser.userId)).toEqual(after)
  })
})

/** Uses up the room that there is for tries of an account in new browsers. */
const useUp = (subject: GuessSubject) => useUpGuesses(stack().guesses, subject, stack().clock.now())
const accountOf = (email: string): GuessSubject => ({ kind: 'account', subject: emailKey(email) })

describe('Failed attempts', () => {
  // [asvs 6.3.1]
  it.each(['known', 'unknown'])(
    'of an account that is %s are 50 at once, then as many as fade; past that the right password is refused too',
    async (which) => {
      const email = which === 'known' ? (await person()).email : newEmail()
      await useUp(accountOf(email))
      expect(await outcome(email, PASSWORD)).toBe('too_many_attempts 1728')
      stack().advance(1727)
      expect(await outcome(email, PASSWORD)).toBe('too_many_attempts 1')
      stack().advance(1)
      await fail(1, email)
      expect(await outcome(email, PASSWORD)).toMatch(/^too_many_attempts 17\d\d$/)
    },
  )

  // [asvs 6.3.1] [catch writeItem.updateItem]
  it('count when concurrent: of many guesses at once, with room for 3, 3 are admitted', async () => {
    const { email } = await person()
    const now = stack().clock.now()
    for (let counted = 0; counted < 47; counted += 1) await stack().guesses.count(accountOf(email), { limit: 50, now })
    const outcomes = await race(() => outcome(email, 'guessed-password'))
    expect(outcomes.filter((one) => one === 'wrong_credentials')).toHaveLength(3)
    expect(await outcome(email, PASSWORD)).toMatch(/^too_many_attempts/)
  })

  // [asvs 6.1.1 6.3.1] [threat 15.2a]
  it('do not keep the owner out of a browser that has signed in before, nor do those of that browser others', async () => {
    const { email, userId } = await person()
    const { cookie } = await trySignIn(email, PASSWORD)
    const { cookie: other } = await trySignIn(email, PASSWORD)
    const sourceIp = newSourceIp()
    await useUp(accountOf(email))
    await useUp({ kind: 'address', subject: sourceIp })
    expect(await outcome(email, PASSWORD)).toMatch(/^too_many_attempts/)
    expect(await trySignIn(email, PASSWORD, sourceIp, cookie)).toMatchObject({ id: userId })
    await useUp({ kind: 'known_browser', subject: cookie.slice(0, 43) })
    await expect(trySignIn(email, PASSWORD, sourceIp, cookie)).rejects.toMatchObject(refused)
    expect(await trySignIn(email, PASSWORD, sourceIp, other)).toMatchObject({ id: userId })
  })

  it('count as those of a stranger from a browser that another account signed in to', async () => {
    const [someUser, other] = [await person(), await person()]
    const { cookie } = await trySignIn(other.email, PASSWORD)
    await useUp(accountOf(someUser.email))
    await expect(trySignIn(someUser.email, PASSWORD, newSourceIp(), cookie)).rejects.toMatchObject(refused)
    // A browser may be known for both.
    stack().advance(24 * 3600)
    const both = await trySignIn(someUser.email, PASSWORD, newSourceIp(), cookie)
    for (const { email, userId } of [someUser, other]) {
      await useUp(accountOf(email))
      expect(await trySignIn(email, PASSWORD, newSourceIp(), both.cookie)).toMatchObject({ id: userId })
    }
  })

  // [asvs 6.3.1]
  it('from one source IP are 150 at once, for any account; successes do not count, nor failures of what then succeeds', async () => {
    const [sourceIp, someUser] = [newSourceIp(), await person()]
    await trySignIn(someUser.email, PASSWORD, sourceIp)
    await fail(3, someUser.email, sourceIp)
    await trySignIn(someUser.email, PASSWORD, sourceIp)
    const now = stack().clock.now()
    const guess = () => stack().guesses.count({ kind: 'address', subject: sourceIp }, { limit: 150, now })
    for (let counted = 0; counted < 149; counted += 1) await guess()
    await fail(1, newEmail(), sourceIp)
    expect(await outcome(someUser.email, PASSWORD, sourceIp)).toBe('too_many_attempts 573')
    expect(await outcome(someUser.email, PASSWORD)).toBe(someUser.userId)
  })

  // [asvs 7.5.1] [threat 15.2e]
  it('with the current password count for the session only, as 429 with Retry-After', async () => {
    const someUser = await person()
    const [{ token }, other] = [await someUser.signIn(), await someUser.signIn()]
    const change = (current_password: string, by = token) =>
      post('/api/auth/password/change', { current_password, new_password: OTHER_PASSWORD }, by)
    await useUp(accountOf(someUser.email))
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await change('guessed-password')).status).toBe(400)
    const answer = await change(PASSWORD)
    expect(answer).toMatchObject({
      status: 429,
      body: errorBody('Too many attempts', 'too_many_attempts'),
      headers: { 'retry-after': expect.stringMatching(/^9\d{3}$/) },
    })
    const email = { email: newEmail(), current_password: PASSWORD }
    expect((await post('/api/users/me/email/change', email, token)).status).toBe(429)
    expect((await change(PASSWORD, other.token)).status).toBe(204)
  })

  // [asvs 16.5.3]
  it('are refused with 503 when they cannot be counted', async () => {
    const { email } = await person()
    stack().database.fail({ operation: 'UpdateItem', times: 3, kind: 'drop_before' })
    expect(await outcome(email, PASSWORD)).toBe('service_unavailable')
  })

  it('are stored without their email addresses and source IPs', async () => {
    const [email, sourceIp] = [newEmail(), newSourceIp()]
    await fail(1, email, sourceIp)
    const items = JSON.stringify((await stack().stored()).filter(({ sk }) => sk === 'GUESSES'))
    expect(items).not.toBe('[]')
    for (const left of [email, sourceIp]) expect(items).not.toContain(left)
  })
})

describe('A store that fails at one call of a sign-in', () => {
  /** A user with a failure at an address, and the sign-in that takes it back. */
  async function mistyped() {
    const [{ email, userId }, sourceIp] = [await person(), newSourceIp()]
    await fail(1, email, sourceIp)
    return { email, userId, sourceIp, attempt: () => outcome(email, PASSWORD, sourceIp) }
  }

  // [asvs 16.5.3]
  it.each(['drop_before', 'drop_after'] as const)(
    'admits or answers 503, and lets the user in afterwards: %s',
    async (kind) => {
      stack().database.reset()
      const { attempt } = await mistyped()
      stack().database.reset()
      await attempt()
      const calls = stack()
        .database.calls()
        .map(({ operation }) => operation)
      expect(calls).toEqual(['UpdateItem', 'UpdateItem', 'GetItem', 'GetItem', 'GetItem', 'TransactWriteItems'])
      for (const [index, operation] of calls.entries()) {
        const again = await mistyped()
        const before = calls.slice(0, index).filter((one) => one === operation).length
        stack().database.fail({ operation, times: 3, kind, after: before })
        expect([again.userId, 'service_unavailable']).toContain(await again.attempt())
        stack().database.reset()
        expect(await again.attempt()).toBe(again.userId)
        // What was counted twice is far from the limit.
        const counted = await stack().guesses.count(accountOf(again.email), { limit: 8, now: stack().clock.now() })
        expect(counted).toBe('counted')
      }
    },
  )
})
