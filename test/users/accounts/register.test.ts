import { describe, expect, it } from '@jest/globals'
import { contract } from '../../../functions/auth-register/contract.ts'
import { contract as verifyContract } from '../../../functions/auth-verify/contract.ts'
import { argon2idPasswords } from '../../support/argon2idPasswords.ts'
import { errorBody } from '../../support/errorBody.ts'
import { race } from '../../support/race.ts'
import { atOnce, expectOneWinner, OTHER_PASSWORD, PASSWORD, tokenIn, useAccounts } from './useAccounts.ts'

const { stack, mailbox, post, request, person, stored, newEmail, mailsTo, tokenMailedTo, trySignIn } = useAccounts()

const DAY = 24 * 3600

const register = (email: string, fields: Record<string, unknown> = {}) =>
  post('/api/auth/register', { email, username: `r-${stack().ids.uuid().slice(0, 8)}`, password: PASSWORD, ...fields })
const verify = (token: string, password = PASSWORD) => post('/api/auth/verify', { token, password })
const accountsOf = async (email: string) =>
  (await stack().stored()).filter((item) => item.email === email && item.sk === 'USER')
const deadLink = { status: 400, body: errorBody('The link is invalid, expired or already used', 'link_invalid') }
const wrongPassword = { status: 400, body: errorBody('BAD_PASSWORD', 'wrong_password') }

describe('POST /api/auth/register', () => {
  describe('Given an address without an account', () => {
    it('answers 202, stores a hash and no password, and sends a link that verifies the address', async () => {
      const email = newEmail()
      const answer = await register(email, { username: 'New.User' })
      expect(contract.responses[202].parse(answer.body)).toEqual(answer.body)
      expect(answer.status).toBe(202)
      const [item] = await accountsOf(email)
      expect(item).toMatchObject({ username: 'New.User', isActive: true, isVerified: false, isSuperuser: false })
      expect(String(item?.passwordHash)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      expect(await argon2idPasswords.check(PASSWORD, String(item?.passwordHash))).toMatchObject({ isRight: true })

      expect(mailsTo(email)).toHaveLength(1)
      const verified = await verify(tokenMailedTo(email))
      expect(verifyContract.responses[200].parse(verified.body)).toMatchObject({ email, is_verified: true })
      expect((await accountsOf(email))[0]).toMatchObject({ isVerified: true })
    })

    it('keeps the address as typed except for its domain, and knows it in other spellings', async () => {
      const email = newEmail()
      await register(
        ` ${email.replace('@example.com', '@EXAMPLE.com').toUpperCase().replace('@EXAMPLE.COM', '@Example.com')} `,
      )
      const typed = email.toUpperCase().replace('@EXAMPLE.COM', '@example.com')
      expect(await accountsOf(typed)).toHaveLength(1)
      expect((await verify(tokenMailedTo(typed))).status).toBe(200)
      await register(email)
      expect(await accountsOf(email)).toHaveLength(0)
      expect(mailsTo(typed)[0]?.subject).toBe('You already have an account')
    })

    it('mails a link for each of 5 requests at once, of which one works: that of the registration that is kept', async () => {
      const email = newEmail()
      const answers = await Promise.all(Array.from({ length: 5 }, () => register(email)))
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(202))
      const tokens = mailsTo(email).map(({ text }) => tokenIn(text))
      expect(tokens).toHaveLength(5)
      const statuses = await Promise.all(tokens.map(async (token) => (await verify(token)).status))
      expect(statuses.toSorted()).toEqual([200, 400, 400, 400, 400])
    })
  })

  describe('Given an address that has an account', () => {
    // [asvs 6.3.8]
    it('answers the same bytes and headers as for a new one, changes nothing, and notifies the owner', async () => {
      const known = await person()
      const before = await stored(known.userId)
      const [fresh, again] = [await register(newEmail()), await register(known.email)]
      expect(again).toEqual(fresh)
      expect(await stored(known.userId)).toEqual(before)
      expect(await accountsOf(known.email)).toHaveLength(1)
      expect(mailsTo(known.email).map(({ subject }) => subject)).toEqual(['You already have an account'])
    })

    it('notifies the stored address for every spelling', async () => {
      const known = await person({ email: `kate-${newEmail()}` })
      // The Kelvin sign equals a K in comparisons, but is another mailbox for delivery.
      expect((await register(known.email.replace('k', '\u212A'))).status).toBe(202)
      expect(
        mailbox()
          .mails()
          .map(({ to }) => to),
      ).toEqual([known.email])
    })
  })

  it.each(['known', 'unknown'])('answers 409 to a username that is taken, at an address that is %s', async (which) => {
    const known = await person()
    const answer = await register(which === 'known' ? known.email : newEmail(), {
      username: known.username.toUpperCase(),
    })
    expect(answer).toMatchObject({ status: 409, body: errorBody('USERNAME_ALREADY_EXISTS', 'username_already_exists') })
    expect(mailbox().mails()).toEqual([])
  })

  it.each(['admin', 'Root', 'SUPPORT', 'bi11ing', 'adm1n', 'po.st-master', 'Console-Support', 'billing-team'])(
    'answers 409 to the reserved username %s like to a taken one, and sends and stores nothing',
    async (username) => {
      const email = newEmail()
      const taken = errorBody('USERNAME_ALREADY_EXISTS', 'username_already_exists')
      expect(await register(email, { username })).toMatchObject({ status: 409, body: taken })
      expect([mailbox().mails(), await accountsOf(email)]).toEqual([[], []])
    },
  )
  describe('Given an address with a registration that was never verified', () => {
    // [threat 15.3b]
    it('gives way to a new one, whose link works, and whose password alone counts', async () => {
      const email = newEmail()
      await register(email, { password: OTHER_PASSWORD })
      const squatted = tokenMailedTo(email)
      await register(email)
      const link = tokenMailedTo(email)
      expect(await verify(squatted, OTHER_PASSWORD)).toMatchObject(deadLink)
      expect((await verify(link)).status).toBe(200)
      await expect(trySignIn(email, OTHER_PASSWORD)).rejects.toMatchObject({ code: 'wrong_credentials' })
      expect(await trySignIn(email, PASSWORD)).toMatchObject({ email })
    })

    it('gives way to a reset and to a change of address, which prove it', async () => {
      const [first, second] = [newEmail(), newEmail()]
      await register(first, { password: OTHER_PASSWORD })
      await post('/api/auth/password/forgot', { email: first })
      const reset = { token: tokenMailedTo(first), password: PASSWORD }
      expect((await post('/api/auth/password/reset', reset)).status).toBe(200)
      expect(await trySignIn(first, PASSWORD)).toMatchObject({ email: first, isVerified: true })

      await register(second, { password: OTHER_PASSWORD })
      const squatted = tokenMailedTo(second)
      const someUser = await person()
      const { token } = await someUser.signIn()
      await post('/api/users/me/email/change', { email: second, current_password: PASSWORD }, token)
      const confirmed = await post('/api/users/me/email/confirm', { token: tokenMailedTo(second), password: PASSWORD })
      expect(confirmed).toMatchObject({ status: 200, body: { email: second } })
      expect(await verify(squatted, OTHER_PASSWORD)).toMatchObject(deadLink)
    })

    // [threat 15.3b]
    it('cannot sign in, as if there were none', async () => {
      const email = newEmail()
      await register(email)
      await expect(trySignIn(email, PASSWORD)).rejects.toMatchObject({ code: 'wrong_credentials' })
    })

    // [threat 15.3b]
    it('ends after 7 days, and what is verified a moment before stays', async () => {
      const [email, late, name] = [newEmail(), newEmail(), `n-${newEmail().slice(0, 8)}`]
      await register(email, { username: name })
      await register(late)
      stack().advance(7 * DAY - 30)
      await post('/api/auth/verify/request', { email: late })
      expect((await verify(tokenMailedTo(late))).status).toBe(200)
      const ended = (await stack().stored()).filter(({ pk }) => `${pk}`.includes(late))
      expect(ended.map(({ pk, expiresAt }) => [pk, expiresAt])).toEqual([[`EMAIL#${late}`, undefined]])
      await post('/api/auth/verify/request', { email })
      const link = tokenMailedTo(email)
      stack().advance(60)
      expect(await verify(link)).toMatchObject(deadLink)
      mailbox().reset()
      await post('/api/auth/verify/request', { email })
      await post('/api/auth/password/forgot', { email })
      expect(mailbox().mails()).toEqual([])
      expect((await register(newEmail(), { username: name })).status).toBe(202)
      expect((await register(late)).status).toBe(202)
      expect(mailsTo(late)[0]?.subject).toBe('You already have an account')
    })

    it('is gone after many verifications and 5 registrations at once, or an account: never both', async () => {
      const email = newEmail()
      await register(email)
      const token = tokenMailedTo(email)
      mailbox().reset()
      const [verified] = await Promise.all([
        race(async () => (await verify(token)).status),
        Promise.all(Array.from({ length: 4 }, () => register(email, { password: OTHER_PASSWORD }))),
      ])
      const won = verified.filter((status) => status === 200).length
      expect(won).toBeLessThanOrEqual(1)
      const newest = tokenMailedTo(email)
      if (newest !== '') await verify(newest, OTHER_PASSWORD)
      const passwords = [PASSWORD, OTHER_PASSWORD]
      const signedIn = await Promise.all(
        passwords.map((password) =>
          trySignIn(email, password).then(
            () => true,
            () => false,
          ),
        ),
      )
      expect(signedIn).toEqual([won === 1, won !== 1])
    })
  })

  describe('The username of a registration', () => {
    it.each(['known', 'unknown'])(
      'is reserved for 7 days, also at an address that is %s, and for the same address again',
      async (which) => {
        const email = which === 'known' ? (await person()).email : newEmail()
        const username = `kept-${stack().ids.uuid().slice(0, 8)}`
        expect((await register(email, { username })).status).toBe(202)
        expect((await register(newEmail(), { username: username.toUpperCase() })).status).toBe(409)
        expect((await register(email, { username })).status).toBe(202)
        stack().advance(7 * DAY - 60)
        expect((await register(newEmail(), { username })).status).toBe(409)
        stack().advance(120)
        expect((await register(newEmail(), { username })).status).toBe(202)
      },
    )

    it('can be taken by a rename once the registration has ended, and not before', async () => {
      const username = `kept-${stack().ids.uuid().slice(0, 8)}`
      await register(newEmail(), { username })
      const rename = async () => {
        const { token } = await someUser.signIn()
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
        return request('/api/users/me', { method: 'PATCH', headers, body: JSON.stringify({ username }) })
      }
      const someUser = await person()
      expect((await rename()).status).toBe(409)
      stack().advance(7 * DAY + 60)
      expect((await rename()).status).toBe(200)
    })

    it('is the account’s for good once the address is verified', async () => {
      const [email, username] = [newEmail(), `kept-${stack().ids.uuid().slice(0, 8)}`]
      await register(email, { username })
      await verify(tokenMailedTo(email))
      stack().advance(30 * DAY)
      expect((await register(newEmail(), { username })).status).toBe(409)
      expect((await register(email, { username })).status).toBe(409)
    })
  })

  // [asvs 6.2.1]
  it.each([
    ['7 letters', 'password', 'shorter', 'Password should have at least 8 characters'],
    ['7 characters of 4 bytes', 'password', '\u{1F600}'.repeat(7), 'Password should have at least 8 characters'],
    ['129 letters', 'password', 'x'.repeat(129), 'Password should have at most 128 characters'],
    ['129 characters of 4 bytes', 'password', '\u{1F600}'.repeat(129), 'Password should have at most 128 characters'],
    ['a common word', 'password', 'password1', 'This is a common password. Add a word or two that few people use.'],
  ])('answers 422 value_error to a password of %s, and sends and stores nothing', async (_, field, value, reason) => {
    const email = newEmail()
    const problem = { loc: ['body', field], msg: `Value error, ${reason}`, type: 'value_error' }
    expect(await register(email, { [field]: value })).toMatchObject({ status: 422, body: { detail: [problem] } })
    expect([mailbox().mails(), await accountsOf(email)]).toEqual([[], []])
  })

  // [asvs 6.2.11]
  it('answers 422 to the own address and to the service’s name as a password', async () => {
    const email = newEmail()
    for (const password of [email, 'Console2026']) {
      const problem = { loc: ['body', 'password'], msg: expect.stringMatching(/^Value error, \S/), type: 'value_error' }
      expect(await register(email, { password })).toMatchObject({ status: 422, body: { detail: [problem] } })
    }
    expect([mailbox().mails(), await accountsOf(email)]).toEqual([[], []])
  })

  // [asvs 2.2.1]
  it('answers 422 with the problems of every field at once', async () => {
    const answer = await register('no-address', { username: 'x', password: 'short' })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            loc: ['body', 'email'],
            msg: 'value is not a valid email address: An email address must have an @-sign.',
            type: 'value_error',
          },
          { loc: ['body', 'username'], type: 'string_too_short' },
          { loc: ['body', 'password'], type: 'value_error' },
        ],
      },
    })
  })

  // [asvs 6.2.5 6.2.8 6.2.9]
  it.each([
    ['8 characters of 4 bytes', '🦊🌵🚲🎻🧊🪁🥨🦉'],
    ['spaces at both ends', ' four otters juggle '],
    ['128 letters', 'of gears and punched cards, '.repeat(5).slice(0, 128)],
    ['128 characters of 4 bytes', '🦊🌵🚲🎻🧊🪁🥨🦉'.repeat(16)],
  ])('accepts a password of %s unchanged', async (_, password) => {
    const email = newEmail()
    expect((await register(email, { password })).status).toBe(202)
    const [item] = await accountsOf(email)
    const holds = async (other: string) => (await argon2idPasswords.check(other, String(item?.passwordHash))).isRight
    expect([await holds(password), await holds(password.slice(0, -1)), await holds(` ${password}`)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('answers 202 when the answer of the store was lost, and 503 when mail is unavailable', async () => {
    const email = newEmail()
    stack().database.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    expect((await register(email)).status).toBe(202)
    expect(tokenMailedTo(email)).not.toBe('')
    mailbox().fail({ operation: 'SendEmail', times: 3, kind: 'drop_before' })
    expect((await register(newEmail())).status).toBe(503)
  })
})

describe('POST /api/auth/verify/request', () => {
  const ask = (email: string) => post('/api/auth/verify/request', { email })

  it('answers the same with and without an account, and mails nothing to an unknown address', async () => {
    const [unverified, verified] = [await person({ isVerified: false }), await person()]
    const inactive = await person({ isVerified: false, isActive: false })
    const unknown = newEmail()
    const emails = [unverified.email, verified.email, inactive.email, unknown]
    const answers = await Promise.all(emails.map(ask))
    expect(answers[0]?.status).toBe(202)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(emails.map((email) => mailsTo(email).map(({ subject }) => subject))).toEqual([
      ['Confirm your email address'],
      ['Your email address is already confirmed'],
      [],
      [],
    ])
    expect((await verify(tokenMailedTo(unverified.email))).body).toMatchObject({ is_verified: true })
  })
})

describe('POST /api/auth/verify', () => {
  async function link() {
    const { email, userId } = await person({ isVerified: false })
    await post('/api/auth/verify/request', { email })
    return { email, userId, token: tokenMailedTo(email) }
  }

  // [asvs 2.3.4]
  it('answers 200 to one of many uses at once, and refuses the others', async () => {
    const { token, userId } = await link()
    expectOneWinner(await atOnce(() => verify(token)))
    expect(await stored(userId)).toMatchObject({ isVerified: true })
    expect(await verify(token)).toMatchObject(deadLink)
  })

  // [threat 15.7b]
  it('answers 400 to a wrong password: who did not choose it verifies nothing, and the link stays good', async () => {
    const { token, userId } = await link()
    for (const password of ['', OTHER_PASSWORD]) expect(await verify(token, password)).toMatchObject(wrongPassword)
    expect((await post('/api/auth/verify', { token })).status).toBe(422)
    expect(await stored(userId)).toMatchObject({ isVerified: false })
    expect((await verify(token)).status).toBe(200)
  })

  it('answers 200 when the answer of the store was lost', async () => {
    const { token } = await link()
    stack().database.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    expect((await verify(token)).status).toBe(200)
  })

  // [asvs 6.4.1]
  it('accepts a link for 24 hours', async () => {
    const [first, second] = [await link(), await link()]
    // The functions' clock runs on between two looks at the stack's.
    stack().advance(24 * 3600 - 60)
    expect((await verify(first.token)).status).toBe(200)
    stack().advance(120)
    expect(await verify(second.token)).toMatchObject(deadLink)
    expect(await stored(second.userId)).toMatchObject({ isVerified: false })
  })

  it.each(['x', 'A'.repeat(43)])('answers 400 to the unknown token %s', async (token) => {
    expect(await verify(token)).toMatchObject(deadLink)
  })

  it('answers 400 to a link of another purpose, which stays valid for its own', async () => {
    const { email } = await person({ isVerified: false })
    await post('/api/auth/password/forgot', { email })
    const token = tokenMailedTo(email)
    expect(await verify(token)).toMatchObject(deadLink)
    expect((await post('/api/auth/password/reset', { token, password: PASSWORD })).status).toBe(200)
  })

  it('answers 400 for an inactive user, and 200 once they are active again', async () => {
    const { token, userId } = await link()
    await stack().setActive(userId, false)
    expect(await verify(token)).toMatchObject(deadLink)
    await stack().setActive(userId, true)
    expect((await verify(token)).status).toBe(200)
  })
})

describe('What is stored and logged', () => {
  it('holds no password, no token of a link, and the log no address either', async () => {
    const email = newEmail()
    await register(email)
    const token = tokenMailedTo(email)
    await verify(token)
    await verify(token)
    const [log, table] = [stack().logged(), JSON.stringify(await stack().stored())]
    expect(table).not.toContain(PASSWORD)
    expect(table).not.toContain(token)
    for (const secret of [PASSWORD, token, email]) expect(log).not.toContain(secret)
    expect(log).toContain('link_invalid')
  })
})
