import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { visitsOf } from '../../oauth/session/sessionVisits.ts'
import { useAccounts } from '../accounts/useAccounts.ts'

const { stack, mailsTo } = useAccounts()
const { house, visit, granted } = visitsOf(stack)

/** A user who has just signed in in a new browser, and a way to call the API. */
async function signedIn() {
  const client = await house()
  const { visitor, user } = await visit(client)
  const { access_token } = await granted(visitor, client)
  const call = async (method: 'GET' | 'PATCH', body?: unknown) => {
    const response = await fetch(`${stack().baseUrl}/api/users/me/notifications`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: z.unknown().parse(await response.json()) }
  }
  return { client, user, userId: userIdSchema.parse(user.id), call }
}

const on = { status: 200, body: { sign_in_mails: true } }
const off = { status: 200, body: { sign_in_mails: false } }

describe('GET and PATCH /api/users/me/notifications', () => {
  it('switch the mails about new sign-ins off and on again', async () => {
    const { client, user, call } = await signedIn()
    const subjects = () => mailsTo(user.email).map(({ subject }) => subject)
    expect(subjects()).toEqual(['New sign-in to your account'])
    expect(await call('GET')).toEqual(on)
    expect(await call('PATCH', { sign_in_mails: false })).toEqual(off)
    expect(await call('PATCH', {})).toEqual(off)
    expect(await call('GET')).toEqual(off)
    await visit(client, user)
    expect(subjects()).toHaveLength(1)
    expect(await call('PATCH', { sign_in_mails: true })).toEqual(on)
    await visit(client, user)
    expect(subjects()).toHaveLength(2)
  })

  it('refuse what is no boolean, and change nothing then', async () => {
    const { call } = await signedIn()
    expect((await call('PATCH', { sign_in_mails: 'sometimes' })).status).toBe(422)
    expect((await call('PATCH', { sign_in_mail: false })).status).toBe(422)
    expect(await call('GET')).toEqual(on)
  })

  it('note the language of the sign-in, in which mails of others come', async () => {
    const { userId } = await signedIn()
    const item = (await stack().stored()).find(({ pk, sk }) => pk === `USER#${userId}` && sk === 'USER')
    expect(item).toMatchObject({ mailLanguage: 'en' })
  })
})
