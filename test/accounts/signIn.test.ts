import { describe, expect, it } from '@jest/globals'
import { argon2idPasswords } from '../../lib/adapters/passwords/argon2idPasswords.ts'
import { errorBody } from '../support/errorBody.ts'
import { OTHER_PASSWORD, PASSWORD, useAccounts } from './useAccounts.ts'

const { stack, post, person, stored, newEmail, mailsTo, trySignIn } = useAccounts()

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

describe('Failed attempts', () => {
  // [asvs 6.3.1]
  it.each(['known', 'unknown'])(
    'of an account that is %s wait from the sixth on, twice as long each time, up to 5 minutes',
    async (which) => {
      const email = which === 'known' ? (await person()).email : newEmail()
      await fail(5, email)
      const waits: number[] = []
      for (let attempt = 0; attempt < 11; attempt += 1) {
        await fail(1, email)
        const { retryAfterSeconds } = await trySignIn(email, PASSWORD, newSourceIp()).catch((error) => error)
        waits.push(retryAfterSeconds)
        stack().advance(retryAfterSeconds + 1)
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    },
  )

  // [asvs 6.3.1] [catch attempt.count]
  it('count when concurrent: of 20 guesses at once 5 are admitted', async () => {
    const { email } = await person()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(email, 'guessed-password')))
    const looked = outcomes.filter((one) => one === 'wrong_credentials').length
    // From the sixth on, the next attempt has to wait.
    expect(looked).toBe(6)
    expect(await outcome(email, PASSWORD)).toBe('too_many_attempts 1')
  })

  it('past the free ones are admitted one at a time when concurrent', async () => {
    const { email } = await person()
    await fail(8, email).catch(() => {})
    stack().advance(3600)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(email, 'guessed-password')))
    expect(outcomes.filter((one) => one === 'wrong_credentials')).toHaveLength(1)
  })

  it('are forgotten after a success, and after a day', async () => {
    const { email, userId } = await person()
    await fail(4, email)
    expect(await outcome(email, PASSWORD)).toBe(userId)
    await fail(6, email)
    expect(await outcome(email, PASSWORD)).toBe('too_many_attempts 1')
    stack().advance(24 * 3600 + 1)
    await fail(5, email)
    stack().advance(2)
    expect(await outcome(email, PASSWORD)).toBe(userId)
  })

  // [asvs 6.3.1]
  it('from one source IP wait from the 51st on, for any account; successes do not count', async () => {
    const [sourceIp, someUser] = [newSourceIp(), await person()]
    for (let attempt = 0; attempt < 3; attempt += 1) await trySignIn(someUser.email, PASSWORD, sourceIp)
    await Promise.all(Array.from({ length: 50 }, () => fail(1, newEmail(), sourceIp)))
    await fail(1, newEmail(), sourceIp)
    expect(await outcome(someUser.email, PASSWORD, sourceIp)).toBe('too_many_attempts 1')
    expect(await outcome(someUser.email, PASSWORD)).toBe(someUser.userId)
    stack().advance(2)
    expect(await outcome(someUser.email, PASSWORD, sourceIp)).toBe(someUser.userId)
  })

  // [asvs 7.5.1]
  it('with the current password of a signed-in user count too, as 429 with Retry-After', async () => {
    const someUser = await person()
    const { token } = await someUser.signIn()
    const change = (current_password: string) =>
      post('/api/auth/password/change', { current_password, new_password: OTHER_PASSWORD }, token)
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await change('guessed-password')).status).toBe(400)
    const answer = await change(PASSWORD)
    expect(answer).toMatchObject({
      status: 429,
      body: errorBody('Too many attempts', 'too_many_attempts'),
      headers: { 'retry-after': expect.stringMatching(/^[12]$/) },
    })
    const email = { email: newEmail(), current_password: PASSWORD }
    expect((await post('/api/users/me/email/change', email, token)).status).toBe(429)
    await expect(trySignIn(someUser.email, PASSWORD, newSourceIp())).rejects.toMatchObject(refused)
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
    const items = JSON.stringify((await stack().stored()).filter(({ sk }) => sk === 'ATTEMPTS'))
    expect(items).not.toBe('[]')
    for (const left of [email, sourceIp]) expect(items).not.toContain(left)
  })
})

describe('Requests that send mail', () => {
  // [asvs 2.4.1]
  it.each(['known', 'unknown'])('to an address that is %s get rare after the tenth', async (which) => {
    const email = which === 'known' ? (await person()).email : newEmail()
    const paths = ['/api/auth/password/forgot', '/api/auth/verify/request']
    for (let request = 0; request < 11; request += 1) {
      expect((await post(paths[request % 2] ?? '', { email })).status).toBe(202)
    }
    const refusal = await post('/api/auth/password/forgot', { email })
    expect(refusal).toMatchObject({
      status: 429,
      body: errorBody('Too many attempts', 'too_many_attempts'),
      headers: { 'retry-after': expect.stringMatching(/^[12]$/) },
    })
    const registration = { email, username: `r-${newEmail().slice(0, 8)}`, password: PASSWORD }
    expect((await post('/api/auth/register', registration)).status).toBe(429)
    expect(mailsTo(email)).toHaveLength(11)
    stack().advance(2)
    expect((await post('/api/auth/password/forgot', { email })).status).toBe(202)
    // The functions' clock advances between two readings.
    expect((await post('/api/auth/password/forgot', { email })).headers['retry-after']).toMatch(/^[23]$/)
  })
})
