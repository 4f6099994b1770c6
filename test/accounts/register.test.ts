import { describe, expect, it } from '@jest/globals'
import { contract } from '../../functions/auth-register/contract.ts'
import { contract as verifyContract } from '../../functions/auth-verify/contract.ts'
import { argon2idPasswords } from '../../lib/adapters/passwords/argon2idPasswords.ts'
import { errorBody } from '../support/errorBody.ts'
import { AT_ONCE, atOnce, oneWinner, PASSWORD, useAccounts } from './useAccounts.ts'

const { stack, mailbox, post, person, stored, newEmail, mailsTo, tokenMailedTo } = useAccounts()

const register = (email: string, fields: Record<string, unknown> = {}) =>
  post('/api/auth/register', { email, username: `r-${stack().ids.uuid().slice(0, 8)}`, password: PASSWORD, ...fields })
const verify = (token: string) => post('/api/auth/verify', { token })
const accountsOf = async (email: string) =>
  (await stack().stored()).filter((item) => item.email === email && item.sk === 'USER')
const deadLink = { status: 400, body: errorBody('The link is invalid, expired or already used', 'link_invalid') }

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

    it('keeps the address as typed except for its domain, and reserves its other spellings', async () => {
      const email = newEmail()
      await register(
        ` ${email.replace('@example.com', '@EXAMPLE.com').toUpperCase().replace('@EXAMPLE.COM', '@Example.com')} `,
      )
      const typed = email.toUpperCase().replace('@EXAMPLE.COM', '@example.com')
      expect(await accountsOf(typed)).toHaveLength(1)
      await register(email)
      expect(await accountsOf(email)).toHaveLength(0)
      expect(mailsTo(typed)[0]?.subject).toBe('You already have an account')
    })

    it('creates one account for 10 requests at once, and sends one link', async () => {
      const email = newEmail()
      const answers = await Promise.all(Array.from({ length: 10 }, () => register(email)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
      expect(await accountsOf(email)).toHaveLength(1)
      expect(mailsTo(email).filter(({ text }) => text.includes('token='))).toHaveLength(1)
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

    it('does not reserve the requested username', async () => {
      const known = await person()
      await register(known.email, { username: 'left-free' })
      await register(newEmail(), { username: 'left-free' })
      expect((await stack().stored()).filter(({ pk }) => pk === 'USERNAME#left-free')).toHaveLength(1)
      expect((await register(known.email, { username: 'LEFT-free' })).status).toBe(409)
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

  it.each(['admin', 'Root', 'SUPPORT', 'bi11ing', 'adm1n', 'po.st-master'])(
    'answers 409 to the reserved username %s like to a taken one, and sends and stores nothing',
    async (username) => {
      const email = newEmail()
      const taken = errorBody('USERNAME_ALREADY_EXISTS', 'username_already_exists')
      expect(await register(email, { username })).toMatchObject({ status: 409, body: taken })
      expect([mailbox().mails(), await accountsOf(email)]).toEqual([[], []])
    },
  )

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

  it('answers the same with and without an account, and explains the difference in the mail', async () => {
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
      ['There is no account with this email address'],
      ['There is no account with this email address'],
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
  it(`answers 200 to one of ${AT_ONCE} uses at once, and 400 to the others`, async () => {
    const { token, userId } = await link()
    expect(await atOnce(() => verify(token))).toEqual(oneWinner(200, 400))
    expect(await stored(userId)).toMatchObject({ isVerified: true })
    expect(await verify(token)).toMatchObject(deadLink)
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
