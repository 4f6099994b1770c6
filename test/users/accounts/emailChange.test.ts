import { describe, expect, it } from '@jest/globals'
import { contract } from '../../../functions/users-me-email-change/contract.ts'
import { contract as confirmContract } from '../../../functions/users-me-email-confirm/contract.ts'
import { errorBody } from '../../support/errorBody.ts'
import { atOnce, expectOneWinner, OTHER_PASSWORD, PASSWORD, useAccounts } from './useAccounts.ts'

const { stack, mailbox, post, request, person, stored, newEmail, mailsTo, tokenMailedTo, trySignIn } = useAccounts()

const change = (token: string, email: string, current_password = PASSWORD) =>
  post('/api/users/me/email/change', { email, current_password }, token)
const confirm = (token: string, password = PASSWORD) => post('/api/users/me/email/confirm', { token, password })
const wrong = { status: 400, body: errorBody('BAD_PASSWORD', 'wrong_password') }
const deadLink = { status: 400, body: errorBody('The link is invalid, expired or already used', 'link_invalid') }
const taken = { status: 409, body: errorBody('EMAIL_ALREADY_EXISTS', 'email_already_exists') }

/** The owner of an address, by its key. */
async function holderOf(email: string) {
  return (await stack().stored()).find(({ pk }) => pk === `EMAIL#${email.toLowerCase()}`)?.userId
}

/** A signed-in user who requested a new address, and the token mailed to it. */
async function asked(to = newEmail()) {
  const someUser = await person()
  const { token: accessToken } = await someUser.signIn()
  const answer = await change(accessToken, to)
  return { ...someUser, accessToken, to, answer, token: tokenMailedTo(to) }
}

describe('POST /api/users/me/email/change', () => {
  // [asvs 6.3.7]
  it('answers 202, changes nothing yet, and mails both addresses; the old one does not learn the new one', async () => {
    const { email, to, answer, userId } = await asked()
    expect(contract.responses[202].parse(answer.body)).toEqual(answer.body)
    expect(answer.status).toBe(202)
    expect(await stored(userId)).toMatchObject({ email, securityRev: 0 })
    expect(mailsTo(to).map(({ subject }) => subject)).toEqual(['Confirm your new email address'])
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual(['Your email address is about to change'])
    expect(mailsTo(email)[0]?.text).not.toContain(to)
  })

  it('answers the same for an address with an account as for one without', async () => {
    const other = await person()
    const [free, held] = [await asked(), await asked(other.email)]
    expect(held.answer).toEqual(free.answer)
  })

  // [asvs 7.5.1]
  it('answers 400 to a wrong current password and sends nothing', async () => {
    const { token } = await (await person()).signIn()
    expect(await change(token, newEmail(), 'guessed-password')).toMatchObject({
      status: 400,
      body: errorBody('BAD_PASSWORD', 'wrong_password'),
    })
    expect(mailbox().mails()).toEqual([])
  })

  it('answers 401 without a token, and 422 to text that is not an address', async () => {
    expect((await post('/api/users/me/email/change', {})).status).toBe(401)
    const { token } = await (await person()).signIn()
    const problem = { loc: ['body', 'email'], msg: expect.stringContaining('@-sign'), type: 'value_error' }
    expect(await change(token, 'no-address')).toMatchObject({ status: 422, body: { detail: [problem] } })
  })
})

describe('POST /api/users/me/email/confirm', () => {
  describe('Given an address that was mistyped, whose owner is a stranger', () => {
    // [threat 30.6]
    it('answers 400 without the account’s password, changes nothing, and keeps the link valid', async () => {
      const { token, userId, email } = await asked()
      expect(await post('/api/users/me/email/confirm', { token })).toMatchObject(wrong)
      expect(await confirm(token, '')).toMatchObject(wrong)
      expect(await confirm(token, OTHER_PASSWORD)).toMatchObject(wrong)
      expect(await stored(userId)).toMatchObject({ email, securityRev: 0 })
      expect((await confirm(token)).status).toBe(200)
    })

    // [threat 30.6]
    it('answers 429 after 10 wrong passwords, also to the right one, and counts them for this link alone', async () => {
      const { token, userId, accessToken } = await asked()
      for (let time = 0; time < 10; time += 1) expect((await confirm(token, OTHER_PASSWORD)).status).toBe(400)
      expect((await confirm(token)).status).toBe(429)
      expect(await trySignIn((await stored(userId)).email, PASSWORD)).toMatchObject({ id: userId })
      const next = newEmail()
      await change(accessToken, next)
      expect((await confirm(tokenMailedTo(next))).status).toBe(200)
    })

    // [threat 30.6]
    it('takes the access token of the session that asked in place of the password, and no other', async () => {
      const { token, accessToken, signIn } = await asked()
      const stranger = await (await person()).signIn()
      for (const other of [(await signIn()).token, stranger.token, 'x.y.z']) {
        expect(await post('/api/users/me/email/confirm', { token }, other)).toMatchObject(wrong)
      }
      expect((await post('/api/users/me/email/confirm', { token }, accessToken)).status).toBe(200)
    })

    // [catch confirmEmailChange.hasAskedForChange] [threat 30.6]
    it('asks for the password if that session has ended', async () => {
      const someUser = await person()
      const { token: accessToken, refresh } = await someUser.signIn()
      const to = newEmail()
      await change(accessToken, to)
      const { client_id = '', client_secret = '', refresh_token = '' } = refresh
      await request('/api/oauth/revoke', {
        method: 'POST',
        body: new URLSearchParams({ client_id, client_secret, token: refresh_token }),
      })
      const token = tokenMailedTo(to)
      expect(await post('/api/users/me/email/confirm', { token }, accessToken)).toMatchObject(wrong)
      expect((await confirm(token)).status).toBe(200)
    })
  })

  it('answers the user with the new address, verified; the new address signs in, and the old one is free', async () => {
    const { token, userId, email, to, accessToken } = await asked()
    const answer = await confirm(token)
    expect(confirmContract.responses[200].parse(answer.body)).toMatchObject({
      id: userId,
      email: to,
      is_verified: true,
    })
    const me = await request('/api/users/me', { headers: { authorization: `Bearer ${accessToken}` } })
    expect(me.body).toEqual(answer.body)
    expect(await trySignIn(to, PASSWORD)).toMatchObject({ id: userId })
    await expect(trySignIn(email, PASSWORD)).rejects.toMatchObject({ code: 'wrong_credentials' })
    expect([await holderOf(to), await holderOf(email)]).toEqual([userId, undefined])
    const next = await asked(email)
    expect(await confirm(next.token)).toMatchObject({ status: 200 })
  })

  // [asvs 6.5.1] [threat 64]
  it('answers 200 to one of many uses at once, and refuses the others', async () => {
    const { token, userId } = await asked()
    expectOneWinner(await atOnce(() => confirm(token)))
    expect(await stored(userId)).toMatchObject({ securityRev: 1 })
  })

  // [asvs 15.4.2]
  it('gives an address that two users request to one of them', async () => {
    const to = newEmail()
    const [one, two] = [await asked(to), await asked(to)]
    const answers = await Promise.all([confirm(one.token), confirm(two.token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const loser = answers[0]?.status === 409 ? one : two
    expect(answers.find(({ status }) => status === 409)).toMatchObject(taken)
    expect(await stored(loser.userId)).toMatchObject({ email: loser.email, securityRev: 0 })
    expect(await holderOf(loser.email)).toBe(loser.userId)
  })

  it('answers 409 for an address that was registered in another case since', async () => {
    const { token, to, userId, email } = await asked()
    await person({ email: to.toUpperCase() })
    expect(await confirm(token)).toMatchObject(taken)
    expect(await stored(userId)).toMatchObject({ email })
  })

  it('accepts the current address in another case', async () => {
    const someUser = await person()
    const louder = someUser.email.replace('@', '-X@')
    await person({ email: louder })
    const own = someUser.email.toUpperCase().replace('@EXAMPLE.COM', '@example.com')
    await change((await someUser.signIn()).token, own)
    expect(await confirm(tokenMailedTo(own))).toMatchObject({ status: 200, body: { email: own } })
    expect(await holderOf(own)).toBe(someUser.userId)
    expect(await trySignIn(someUser.email, PASSWORD)).toMatchObject({ id: someUser.userId })
  })

  it('accepts a link for an hour', async () => {
    const [first, second] = [await asked(), await asked()]
    stack().advance(3600 - 30)
    expect((await confirm(first.token)).status).toBe(200)
    // A request may take seconds of the machine's own.
    stack().advance(60)
    expect(await confirm(second.token)).toMatchObject(deadLink)
  })

  it('voids every other link of the account', async () => {
    const { token, accessToken, email, userId } = await asked()
    const second = newEmail()
    await change(accessToken, second)
    await post('/api/auth/password/forgot', { email })
    const reset = tokenMailedTo(email)
    expect((await confirm(token)).status).toBe(200)
    expect(await confirm(tokenMailedTo(second))).toMatchObject(deadLink)
    expect(await post('/api/auth/password/reset', { token: reset, password: OTHER_PASSWORD })).toMatchObject(deadLink)
    expect(await stored(userId)).toMatchObject({ securityRev: 1 })
  })

  it('refuses a link once the password was changed', async () => {
    const { token, accessToken } = await asked()
    const passwords = { current_password: PASSWORD, new_password: OTHER_PASSWORD }
    expect((await post('/api/auth/password/change', passwords, accessToken)).status).toBe(204)
    expect(await confirm(token)).toMatchObject(deadLink)
  })

  it('answers 200 when the answer of the store was lost', async () => {
    const { token } = await asked()
    stack().database.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    expect((await confirm(token)).status).toBe(200)
  })
})
