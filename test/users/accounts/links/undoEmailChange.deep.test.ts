import { describe, expect, it } from '@jest/globals'
import { atOnce, OTHER_PASSWORD, oneWinner, PASSWORD, type Person, tokenIn, useAccounts } from '../useAccounts.ts'

const { stack, mailbox, post, request, person, newEmail, mailsTo, tokenMailedTo, trySignIn, submit } = useAccounts()

const HOUR = 3600
const reset = (token: string, password = OTHER_PASSWORD) => post('/api/auth/password/reset', { token, password })
const undo = (token: string) => submit({ purpose: 'undo_email_change', token })
const refresh = (fields: Record<string, string>) => post('/api/oauth/token', fields)
const wrong = { code: 'wrong_credentials' }

/** The token of the newest mail to an address that undoes a change. */
const undoTokenTo = (address: string) =>
  tokenIn(mailsTo(address).find(({ text }) => text.includes('purpose=undo_email_change'))?.text ?? '')

/** Asks for a new address as somebody with a token and the password, and confirms it. */
async function moved(someUser: Person, to = newEmail(), password = PASSWORD) {
  const session = await someUser.signIn()
  const asked = await post('/api/users/me/email/change', { email: to, current_password: password }, session.token)
  expect(asked.status).toBe(202)
  const answer = await post('/api/users/me/email/confirm', { token: tokenMailedTo(to), password })
  expect(answer.status).toBe(200)
  return { to, session }
}

async function changed() {
  const someUser = await person()
  const other = await someUser.signIn()
  const { to, session } = await moved(someUser)
  return { ...someUser, to, session, other, token: undoTokenTo(someUser.email) }
}

/** The address of an account, and the addresses that are held for it: one, its own. */
async function expectAddress({ userId }: Person, email: string) {
  const items = await stack().stored()
  const user = items.find(({ pk, sk }) => pk === `USER#${userId}` && sk === 'USER')
  expect(user).toMatchObject({ email, isVerified: true })
  const held = items.filter((item) => item.sk === 'EMAIL' && item.userId === userId)
  expect(held.map(({ pk }) => pk)).toEqual([`EMAIL#${email}`])
}

describe('A change of the email address', () => {
  // [asvs 6.3.7]
  it('is announced to both addresses when it happens; the old one does not learn the new one', async () => {
    const { email, to } = await changed()
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual([
      'Your email address was changed',
      'Your email address is about to change',
    ])
    expect(mailsTo(to).map(({ subject }) => subject)).toEqual([
      'This is now your email address',
      'Confirm your new email address',
    ])
    expect(mailsTo(email)[0]?.text).toContain('expires in 7 days')
    for (const { text, html } of mailsTo(email)) expect(text + html).not.toContain(to)
  })

  // [asvs 7.4.3]
  it('ends every session and grant but those of the client that asked for it', async () => {
    const { session, other } = await changed()
    expect((await refresh(other.refresh)).status).toBe(400)
    expect((await refresh(session.refresh)).status).toBe(200)
  })

  it('is not made while the old address cannot be mailed, and its link stays good', async () => {
    const someUser = await person()
    const to = newEmail()
    const { token } = await someUser.signIn()
    await post('/api/users/me/email/change', { email: to, current_password: PASSWORD }, token)
    const link = tokenMailedTo(to)
    mailbox().fail({ operation: 'SendEmail', times: 3, kind: 'drop_before' })
    expect((await post('/api/users/me/email/confirm', { token: link, password: PASSWORD })).status).toBe(503)
    await expectAddress(someUser, someUser.email)
    expect((await post('/api/users/me/email/confirm', { token: link, password: PASSWORD })).status).toBe(200)
    await expectAddress(someUser, to)
    expect((await undo(undoTokenTo(someUser.email))).status).toBe(200)
  })
})

describe('The link that undoes it', () => {
  it('changes nothing by being opened', async () => {
    const someUser = await changed()
    const page = await request(`/api/auth/link?purpose=undo_email_change&token=${someUser.token}`, {})
    expect([page.status, page.text.includes('Undo the change of your email address')]).toEqual([200, true])
    await expectAddress(someUser, someUser.to)
  })

  // [threat 15.4]
  it('gives the old address back, frees the new one, ends every session and grant, and offers a new password', async () => {
    const someUser = await changed()
    const { email, to, userId, session, token } = someUser
    const page = await undo(token)
    expect([page.status, page.text.includes('Your email address is back')]).toEqual([200, true])
    await expectAddress(someUser, email)
    expect((await refresh(session.refresh)).status).toBe(400)
    expect(await trySignIn(email, PASSWORD)).toMatchObject({ id: userId })
    await expect(trySignIn(to, PASSWORD)).rejects.toMatchObject(wrong)
    expect(mailsTo(to)[0]?.subject).toBe('The change of your email address was undone')
    const offered = tokenIn(page.text.replaceAll('&amp;', '&'))
    expect((await reset(offered)).status).toBe(200)
    expect(await trySignIn(email, OTHER_PASSWORD)).toMatchObject({ id: userId })
    expect((await undo(token)).status).toBe(400)
  })

  it('works after whatever a thief does: another change, another password; and their own link does not', async () => {
    const someUser = await changed()
    const next = await moved(someUser)
    const passwords = { current_password: PASSWORD, new_password: OTHER_PASSWORD }
    expect((await post('/api/auth/password/change', passwords, next.session.token)).status).toBe(204)
    const last = await moved(someUser, newEmail(), OTHER_PASSWORD)
    const [theirs, theirsToo] = [undoTokenTo(someUser.to), undoTokenTo(next.to)]
    expect((await undo(someUser.token)).status).toBe(200)
    await expectAddress(someUser, someUser.email)
    for (const token of [theirs, theirsToo]) expect((await undo(token)).status).toBe(400)
    expect((await refresh(last.session.refresh)).status).toBe(400)
    await expectAddress(someUser, someUser.email)
  })

  it('of an earlier change works after that of a later one', async () => {
    const someUser = await changed()
    await moved(someUser)
    expect((await undo(undoTokenTo(someUser.to))).status).toBe(200)
    await expectAddress(someUser, someUser.to)
    expect((await undo(someUser.token)).status).toBe(200)
    await expectAddress(someUser, someUser.email)
  })

  // [threat 15.4]
  it('works for 7 days', async () => {
    const [first, second] = [await changed(), await changed()]
    stack().advance(7 * 24 * HOUR - 30)
    expect((await undo(first.token)).status).toBe(200)
    stack().advance(60)
    expect((await undo(second.token)).status).toBe(400)
    await expectAddress(second, second.to)
  })

  it('takes the address back from a registration, and not from another account', async () => {
    const [first, second] = [await changed(), await changed()]
    await post('/api/auth/register', {
      email: first.email,
      username: `s-${newEmail().slice(0, 8)}`,
      password: PASSWORD,
    })
    expect((await undo(first.token)).status).toBe(200)
    await expectAddress(first, first.email)
    const rival = await person({ email: second.email })
    const refused = await undo(second.token)
    expect([refused.status, refused.text.includes('This email address is taken')]).toEqual([409, true])
    await expectAddress(second, second.to)
    await expectAddress(rival, second.email)
  })

  it('is refused for a user who was switched off', async () => {
    const { token, userId } = await changed()
    await stack().setActive(userId, false)
    expect((await undo(token)).status).toBe(400)
  })

  // [asvs 2.3.4]
  it('works once for many presses at once', async () => {
    const someUser = await changed()
    expect(await atOnce(() => undo(someUser.token))).toEqual(oneWinner(200, 400))
    await expectAddress(someUser, someUser.email)
  })

  // [asvs 15.4.2]
  it('ends in one state with a change and a reset at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const someUser = await changed()
      const { email, to, session, token } = someUser
      const third = newEmail()
      await post('/api/users/me/email/change', { email: third, current_password: PASSWORD }, session.token)
      await post('/api/auth/password/forgot', { email: to })
      const [change, forgotten] = [tokenMailedTo(third), tokenMailedTo(to)]
      const answers = await Promise.all([
        undo(token),
        post('/api/users/me/email/confirm', { token: change, password: PASSWORD }),
        reset(forgotten),
      ])
      expect(answers[0].status).toBe(200)
      await expectAddress(someUser, email)
      for (const { status } of answers.slice(1)) expect([200, 400, 503]).toContain(status)
      // Whatever came before the undo, nothing of it works after.
      expect((await post('/api/users/me/email/confirm', { token: change, password: PASSWORD })).status).toBe(400)
      expect((await refresh(session.refresh)).status).toBe(400)
    }
  })

  it.each([
    ['GetItem', 'drop_before'],
    ['PutItem', 'drop_before'],
    ['TransactWriteItems', 'drop_before'],
    ['TransactWriteItems', 'drop_after'],
  ] as const)('heals by another press where the store fails at each %s: %s', async (operation, kind) => {
    const someUser = await changed()
    const { token, email, to } = someUser
    stack().database.fail({ operation, times: 20, kind })
    const failed = await undo(token)
    stack().database.reset()
    expect(failed.status).toBe(503)
    const isDone = operation === 'TransactWriteItems' && kind === 'drop_after'
    await expectAddress(someUser, isDone ? email : to)
    expect((await undo(token)).status).toBe(isDone ? 400 : 200)
    await expectAddress(someUser, email)
  })

  it('works when the notice to the new address cannot be sent', async () => {
    const someUser = await changed()
    mailbox().fail({ operation: 'SendEmail', times: 3, kind: 'drop_before' })
    expect((await undo(someUser.token)).status).toBe(200)
    await expectAddress(someUser, someUser.email)
  })
})
