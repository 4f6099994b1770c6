import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { TOTP } from 'otpauth'
import { beginTotpEnrollment, confirmTotp } from '../../../../lib/authenticators/factors/enrollTotp.ts'
import type { Passkey } from '../../../../lib/authenticators/ports.ts'
import { createRecoveryCodes } from '../../../../lib/authenticators/recovery/recoveryCodes.ts'
import { addWithMail } from '../../../../lib/authenticators/security/mailedChange.ts'
import { OTHER_PASSWORD, PASSWORD, type Person, tokenIn, useAccounts } from '../useAccounts.ts'

const accounts = useAccounts()
const { stack, post, person, mailsTo, submit } = accounts
const HOUR = 3600
const DAY = 24 * HOUR
const addedFrom = { browser: 'Firefox on Linux', sourceIp: '203.0.113.9' }

const list = (of: Person) => stack().authenticatorDeps.authenticators.list(of.userId)
const callerOf = async (of: Person) => {
  const { securityRev } = await accounts.stored(of.userId)
  return { userId: of.userId, securityRev }
}

/** Adds a passkey, as the page of authenticators does, with its mail. Returns its id and the tokens of the mails, by address. */
async function addPasskey(to: Person, name = 'Laptop') {
  // It reads the environment, which the stack sets.
  const { mailDepsFromEnvironment } = await import('../../../../lib/runtime/accounts.ts')
  const deps = { ...mailDepsFromEnvironment(), ...stack().authenticatorDeps }
  const now = stack().clock.now()
  const id = randomUUID()
  const flags = { backupEligible: true, backedUp: true, counter: 0, transports: ['internal'], publicKey: 'AAAA' }
  const passkey: Passkey = { id, name, ...flags, createdAt: now, addedFrom, lastUsedAt: now }
  const account = await deps.accounts.find(to.userId)
  if (account === undefined) throw new Error('no such account')
  await addWithMail({ deps, user: account.user, language: 'en' }, { type: 'passkey', name }, async () => {
    const challenge = deps.ids.secret()
    await deps.challenges.issue(challenge, { purpose: 'registration', userId: to.userId, validUntil: now + 1000 })
    await deps.passkeys.add(await callerOf(to), passkey, { challenge, now, limit: 10 })
  })
  return { id }
}

async function addTotpAndCodes(to: Person): Promise<void> {
  const { authenticatorDeps: deps } = stack()
  const caller = await callerOf(to)
  const { secret } = await beginTotpEnrollment(deps, caller)
  await confirmTotp(deps, caller, new TOTP({ secret }).generate({ timestamp: stack().clock.now() }))
  await createRecoveryCodes(deps, caller)
}

const undoTokenTo = (address: string) =>
  tokenIn(mailsTo(address).find(({ text }) => text.includes('purpose=undo_factor'))?.text ?? '')
const undo = (token: string, password = OTHER_PASSWORD) => submit({ purpose: 'undo_factor', token, password })
const show = (token: string) => accounts.request(`/api/auth/link?purpose=undo_factor&token=${token}`, {})

async function resetTokenOf({ email }: Person): Promise<string> {
  await post('/api/auth/password/forgot', { email })
  return tokenIn(mailsTo(email)[0]?.text ?? '')
}

describe('The link in the mail about an added second factor', () => {
  it('names it with its time, and asks for a new password, without using the link', async () => {
    const ada = await person()
    await addPasskey(ada, 'Work <laptop>')
    const page = await show(undoTokenTo(ada.email))
    expect(page.status).toBe(200)
    expect(page.text).toContain('Passkey “Work &lt;laptop&gt;”')
    expect(page.text).toMatch(/Added \d+ \w+ \d{4}, \d\d:\d\d UTC · from Firefox on Linux, 203\.0\.113\.9/)
    expect(page.text).toContain('autocomplete="new-password"')
    expect((await list(ada)).passkeys).toHaveLength(1)
  })

  it('removes it with all that was added since, ends every session and grant, sets the password, and signs in nobody', async () => {
    const ada = await person()
    const older = await addPasskey(ada, 'Phone')
    stack().advance(60)
    await addPasskey(ada, 'Planted')
    const token = undoTokenTo(ada.email)
    stack().advance(HOUR)
    await addTotpAndCodes(ada)
    const { token: access } = await ada.signIn()
    const used = await undo(token)
    expect([used.status, used.text.includes('Removed, and password changed')]).toEqual([200, true])
    expect(used.headers['set-cookie']).toBeUndefined()
    const { passkeys, totp, recoveryCodes } = await list(ada)
    expect([passkeys.map(({ id }) => id), totp, recoveryCodes]).toEqual([[older.id], undefined, undefined])
    const me = await accounts.request('/api/users/me', { headers: { authorization: `Bearer ${access}` } })
    expect(me.status).toBe(401)
    await expect(accounts.trySignIn(ada.email, PASSWORD)).rejects.toMatchObject({ code: 'wrong_credentials' })
    expect((await accounts.trySignIn(ada.email, OTHER_PASSWORD)).id).toBe(ada.userId)
    expect((await undo(token)).status).toBe(400)
    expect(mailsTo(ada.email)[0]?.subject).toBe('An added second factor was removed')
  })

  it('leaves the account without a second factor if none is older, so that the password signs in again', async () => {
    const ada = await person()
    await addPasskey(ada)
    await undo(undoTokenTo(ada.email))
    const account = await stack().authenticatorDeps.accounts.find(ada.userId)
    expect(account?.hasSecondFactor).toBeUndefined()
    await addPasskey(ada)
    expect((await list(ada)).passkeys).toHaveLength(1)
  })

  it('works for 7 days, whatever the password is by then', async () => {
    const [first, second] = [await person(), await person()]
    await Promise.all([addPasskey(first), addPasskey(second)])
    const { token } = await first.signIn()
    await post(
      '/api/auth/password/change',
      { current_password: PASSWORD, new_password: 'the thief’s own phrase 3b1' },
      token,
    )
    stack().advance(7 * DAY - 30)
    expect((await undo(undoTokenTo(first.email))).status).toBe(200)
    stack().advance(60)
    expect((await undo(undoTokenTo(second.email))).status).toBe(400)
    expect((await list(second)).passkeys).toHaveLength(1)
  })

  // [threat 123]
  it('goes to the address before a change too, and offers to give it back; the other undo stays good', async () => {
    const ada = await person()
    const to = accounts.newEmail()
    const { token } = await ada.signIn()
    await post('/api/users/me/email/change', { email: to, current_password: PASSWORD }, token)
    await post('/api/users/me/email/confirm', { token: accounts.tokenMailedTo(to), password: PASSWORD })
    const undoEmail = accounts.tokenMailedTo(ada.email)
    await addPasskey(ada)
    const [atOld, atNew] = [undoTokenTo(ada.email), undoTokenTo(to)]
    expect(new Set([atOld, atNew, '']).size).toBe(3)
    const used = await undo(atOld)
    expect([used.status, /purpose=undo_email_change&amp;token=[\w-]+/.test(used.text)]).toEqual([200, true])
    expect((await submit({ purpose: 'undo_email_change', token: undoEmail })).status).toBe(200)
    expect((await accounts.stored(ada.userId)).email).toBe(ada.email)
    expect((await undo(atNew)).status).toBe(400)
  })

  it('keeps the link good after a password that is too weak', async () => {
    const ada = await person()
    await addPasskey(ada)
    const token = undoTokenTo(ada.email)
    expect((await undo(token, 'Password1!')).status).toBe(422)
    expect((await undo(token)).status).toBe(200)
  })
})

describe('POST /api/auth/password/reset', () => {
  // [threat 124]
  it('lists the authenticators, and removes the named of the last 14 days', async () => {
    const ada = await person()
    const older = await addPasskey(ada, 'Phone')
    stack().advance(14 * DAY + 60)
    const planted = await addPasskey(ada, 'Planted')
    stack().advance(60)
    await addTotpAndCodes(ada)
    const token = await resetTokenOf(ada)
    stack().advance(60)
    const late = await addPasskey(ada, 'Added after the mail')
    const options = await post('/api/auth/password/reset/options', { token })
    const entry = (id: string, type: string, name: string | null, removable: boolean) => ({
      ...{ id, type, name, removable },
      created_at: expect.stringMatching(/Z$/),
    })
    expect([options.status, options.body]).toEqual([
      200,
      {
        authenticators: [
          entry(older.id, 'passkey', 'Phone', false),
          entry(planted.id, 'passkey', 'Planted', true),
          entry('totp', 'totp', null, true),
          entry('recovery_codes', 'recovery_codes', null, true),
          entry(late.id, 'passkey', 'Added after the mail', true),
        ],
        next_cursor: null,
      },
    ])
    const reset = (remove_authenticators: string[]) =>
      post('/api/auth/password/reset', { token, password: OTHER_PASSWORD, remove_authenticators })
    expect(await reset([planted.id, older.id])).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'remove_authenticators', 1], type: 'value_error' }] },
    })
    expect(await reset(['unknown'])).toMatchObject({ status: 422 })
    expect((await list(ada)).passkeys).toHaveLength(3)
    expect((await reset([planted.id, 'totp', 'recovery_codes', late.id])).status).toBe(200)
    const { passkeys, totp, recoveryCodes } = await list(ada)
    expect([passkeys.map(({ id }) => id), totp, recoveryCodes]).toEqual([[older.id], undefined, undefined])
    const account = await stack().authenticatorDeps.accounts.find(ada.userId)
    expect(account?.hasSecondFactor).toBe(true)
    expect(await post('/api/auth/password/reset/options', { token })).toMatchObject({ status: 400 })
  })

  it('removes nothing that is not named', async () => {
    const ada = await person()
    await addPasskey(ada)
    const token = await resetTokenOf(ada)
    expect((await post('/api/auth/password/reset', { token, password: OTHER_PASSWORD })).status).toBe(200)
    expect((await list(ada)).passkeys).toHaveLength(1)
  })

  it('ticks on its page what was added in the last 14 days, with where from, and removes what is ticked', async () => {
    const ada = await person()
    await addPasskey(ada, 'Old')
    stack().advance(15 * DAY)
    const planted = await addPasskey(ada, 'Planted')
    stack().advance(60)
    const own = await addPasskey(ada, 'My own')
    const token = await resetTokenOf(ada)
    const page = await accounts.request(`/api/auth/link?purpose=reset_password&token=${token}`, {})
    const boxes = [...page.text.matchAll(/name="remove\.([\w-]+)" value="1"( checked)?/g)].map(([, id, on]) => [id, on])
    expect(boxes).toEqual([
      [planted.id, ' checked'],
      [own.id, ' checked'],
    ])
    expect(page.text).toContain('from Firefox on Linux, 203.0.113.9')
    expect(page.text).toContain('Passkey “Old”')
    const weak = { purpose: 'reset_password', token, password: 'short', [`remove.${planted.id}`]: '1' }
    const again = await submit(weak)
    expect([again.status, again.text.includes(`name="remove.${own.id}" value="1">`)]).toEqual([422, true])
    expect((await submit({ ...weak, password: OTHER_PASSWORD })).status).toBe(200)
    expect((await list(ada)).passkeys.map(({ name }) => name)).toEqual(['Old', 'My own'])
  })
})
