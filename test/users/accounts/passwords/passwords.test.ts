import { describe, expect, it } from '@jest/globals'
import { contract as changeContract } from '../../../../functions/auth-password-change/contract.ts'
import { contract as resetContract } from '../../../../functions/auth-password-reset/contract.ts'
import { emailKey } from '../../../../lib/users/emailKey.ts'
import { errorBody } from '../../../support/errorBody.ts'
import { useUpGuesses } from '../../../support/useUpGuesses.ts'
import { atOnce, OTHER_PASSWORD, oneWinner, PASSWORD, type Person, useAccounts } from '../useAccounts.ts'

const { stack, mailbox, post, person, stored, newEmail, mailsTo, tokenMailedTo, trySignIn } = useAccounts()

const forgot = (email: string) => post('/api/auth/password/forgot', { email })
const reset = (token: string, password = OTHER_PASSWORD) => post('/api/auth/password/reset', { token, password })
const change = (token: string, current_password = PASSWORD, new_password = OTHER_PASSWORD) =>
  post('/api/auth/password/change', { current_password, new_password }, token)
const deadLink = { status: 400, body: errorBody('The link is invalid, expired or already used', 'link_invalid') }
const wrongPassword = { status: 400, body: errorBody('BAD_PASSWORD', 'wrong_password') }

/** A user who forgot the password, and the token in their mail. */
async function forgetful(options: Parameters<typeof person>[0] = {}) {
  const someUser = await person(options)
  await forgot(someUser.email)
  return { ...someUser, token: tokenMailedTo(someUser.email) }
}

async function expectPassword({ email, userId }: Person, password: string) {
  const wrong = password === PASSWORD ? OTHER_PASSWORD : PASSWORD
  expect(await trySignIn(email, password)).toMatchObject({ id: userId })
  await expect(trySignIn(email, wrong)).rejects.toMatchObject({ code: 'wrong_credentials' })
}

describe('POST /api/auth/password/forgot', () => {
  // [asvs 6.3.8]
  it('answers the same with and without an account, and mails nothing to an unknown address', async () => {
    const [someUser, inactive, unknown] = [await person(), await person({ isActive: false }), newEmail()]
    const answers = await Promise.all([someUser.email, inactive.email, unknown].map(forgot))
    expect(answers[0]?.status).toBe(202)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const subjects = [someUser.email, inactive.email, unknown].map((email) =>
      mailsTo(email).map((mail) => mail.subject),
    )
    expect(subjects).toEqual([['Reset your password'], [], []])
    expect(mailbox().mails()).toHaveLength(1)
  })

  it('sends the link to the stored address for every spelling', async () => {
    const someUser = await person({ email: `kate-${newEmail()}` })
    const { email } = someUser
    // The Kelvin sign equals a K in comparisons, but is another mailbox for delivery.
    for (const spelled of [email.replace('k', '\u212A'), ` ${email.toUpperCase()} `]) {
      expect((await forgot(spelled)).status).toBe(202)
    }
    const receivers = mailbox().mails()
    expect(receivers.map(({ to }) => to)).toEqual([email, email])
  })

  it('answers 503 when mail is unavailable', async () => {
    mailbox().fail({ operation: 'SendEmail', times: 3, kind: 'drop_before' })
    expect((await forgot(newEmail())).status).toBe(503)
  })
})

describe('POST /api/auth/password/reset', () => {
  // [asvs 6.3.7]
  it('answers 200 null, sets the password, signs out everywhere and notifies the owner', async () => {
    const someUser = await forgetful()
    const before = await stored(someUser.userId)
    const answer = await reset(someUser.token)
    expect(answer.status).toBe(200)
    expect(resetContract.responses[200].parse(answer.body)).toBeNull()
    const after = await stored(someUser.userId)
    expect(after).toMatchObject({ securityRev: before.securityRev + 1 })
    expect(after.keptFamily).toBeUndefined()
    await expectPassword(someUser, OTHER_PASSWORD)
    expect(mailsTo(someUser.email)[0]?.subject).toBe('Your password was changed')
  })

  // [asvs 2.3.4 6.4.3 6.5.1] [threat 64]
  it('answers 200 to one of many uses at once, and 400 to the others', async () => {
    const { token, userId } = await forgetful()
    expect(await atOnce(() => reset(token))).toEqual(oneWinner(200, 400))
    expect(await stored(userId)).toMatchObject({ securityRev: 1 })
    expect(await reset(token)).toMatchObject(deadLink)
  })

  // [asvs 6.4.3]
  it('accepts a link for an hour', async () => {
    const [first, second] = [await forgetful(), await forgetful()]
    stack().advance(3599)
    expect((await reset(first.token)).status).toBe(200)
    stack().advance(2)
    expect(await reset(second.token)).toMatchObject(deadLink)
    await expectPassword(second, PASSWORD)
  })

  // [asvs 6.4.3]
  it('voids every other link of the account', async () => {
    const { token, email } = await forgetful({ isVerified: false })
    await forgot(email)
    const second = tokenMailedTo(email)
    await post('/api/auth/verify/request', { email })
    const verification = tokenMailedTo(email)
    expect((await reset(token)).status).toBe(200)
    expect(await reset(second)).toMatchObject(deadLink)
    expect(await post('/api/auth/verify', { token: verification, password: PASSWORD })).toMatchObject(deadLink)
  })

  it('verifies the address, because the mail arrived there', async () => {
    const { token, userId } = await forgetful({ isVerified: false })
    await reset(token)
    expect(await stored(userId)).toMatchObject({ isVerified: true })
  })

  // [asvs 6.1.1]
  it('lets an owner in who was locked out by a stranger', async () => {
    const { token, email, userId } = await forgetful()
    await useUpGuesses(stack().guesses, { kind: 'account', subject: emailKey(email) }, stack().clock.now())
    await expect(trySignIn(email, PASSWORD)).rejects.toMatchObject({ code: 'too_many_attempts' })
    const { headers } = await reset(token)
    const cookie = /^__Host-known-browser=([^;]+); Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=31536000$/
    const [, known] = cookie.exec(headers['set-cookie'] ?? '') ?? []
    expect(await trySignIn(email, OTHER_PASSWORD, '203.0.113.99', known)).toMatchObject({ id: userId })
    await expect(trySignIn(email, OTHER_PASSWORD)).rejects.toMatchObject({ code: 'too_many_attempts' })
  })

  // [asvs 6.2.4]
  it('answers 422 to a common password, and keeps the link valid', async () => {
    const { token } = await forgetful()
    const problem = { loc: ['body', 'password'], msg: expect.stringContaining('common'), type: 'value_error' }
    expect(await reset(token, 'password1')).toMatchObject({ status: 422, body: { detail: [problem] } })
    expect((await reset(token)).status).toBe(200)
  })

  it('answers 400 for an inactive user', async () => {
    const { token, userId } = await forgetful()
    await stack().setActive(userId, false)
    expect(await reset(token)).toMatchObject(deadLink)
  })

  // [catch notify.notify]
  it('answers 200 when the answer of the store was lost, and when the owner cannot be notified', async () => {
    const first = await forgetful()
    stack().database.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    expect((await reset(first.token)).status).toBe(200)
    const second = await forgetful()
    mailbox().fail({ operation: 'SendEmail', times: 3, kind: 'drop_before' })
    expect((await reset(second.token)).status).toBe(200)
    expect(stack().logged()).toContain('Mail not sent')
    await expectPassword(second, OTHER_PASSWORD)
  })
})

describe('POST /api/auth/password/change', () => {
  // [asvs 6.2.2 6.3.7]
  it('answers 204 without a body, keeps this family only, and notifies the owner', async () => {
    const someUser = await person()
    const { token } = await someUser.signIn()
    const answer = await change(token)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(Object.keys(changeContract.responses)).toContain('204')
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(await stored(someUser.userId)).toMatchObject({ securityRev: 1, keptFamily: sid })
    await expectPassword(someUser, OTHER_PASSWORD)
    expect(mailsTo(someUser.email).map(({ subject }) => subject)).toEqual(['Your password was changed'])
  })

  it('voids the links in earlier mails', async () => {
    const someUser = await forgetful()
    await change((await someUser.signIn()).token)
    expect(await reset(someUser.token)).toMatchObject(deadLink)
  })

  // [asvs 6.2.3]
  it('answers 400 to a wrong current password, and changes nothing', async () => {
    const someUser = await person()
    const before = await stored(someUser.userId)
    expect(await change((await someUser.signIn()).token, 'guessed-password')).toMatchObject(wrongPassword)
    expect(await stored(someUser.userId)).toEqual(before)
    expect(mailbox().mails()).toEqual([])
  })

  it('answers 204 to one of several changes at once, and changes the password once', async () => {
    const someUser = await person()
    const { token } = await someUser.signIn()
    const answers = await Promise.all(Array.from({ length: 4 }, () => change(token)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(answers.every(({ status }) => [204, 400, 503].includes(status))).toBe(true)
    expect(await stored(someUser.userId)).toMatchObject({ securityRev: 1 })
    await expectPassword(someUser, OTHER_PASSWORD)
  })

  it.each([
    ['new_password', { current_password: PASSWORD, new_password: 'password1' }, 'value_error'],
    ['new_password', { current_password: PASSWORD, new_password: 'short' }, 'value_error'],
    ['current_password', { new_password: OTHER_PASSWORD }, 'missing'],
  ])('answers 422 to a %s in %j', async (field, body, type) => {
    const { token } = await (await person()).signIn()
    const answer = await post('/api/auth/password/change', body, token)
    const problem = { loc: ['body', field], msg: expect.any(String), type }
    expect(answer).toMatchObject({ status: 422, body: { detail: [problem] } })
  })

  it('answers 401 without a token, and for an inactive user', async () => {
    const someUser = await person()
    const { token } = await someUser.signIn()
    expect((await post('/api/auth/password/change', {})).status).toBe(401)
    await stack().setActive(someUser.userId, false)
    expect((await change(token)).status).toBe(401)
  })

  it('answers 204 when the answer of the store was lost', async () => {
    const someUser = await person()
    const { token } = await someUser.signIn()
    stack().database.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    expect((await change(token)).status).toBe(204)
  })
})

describe('Passwords', () => {
  it('are in no log and in no mail', async () => {
    const someUser = await forgetful()
    await change((await someUser.signIn()).token, 'guessed-password')
    await reset(someUser.token)
    const left = stack().logged() + JSON.stringify(mailbox().mails())
    for (const secret of [PASSWORD, OTHER_PASSWORD, 'guessed-password']) expect(left).not.toContain(secret)
  })
})
