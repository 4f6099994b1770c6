import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { register, signIn } from '../../oauth/token/tokenRequests.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { race, racers } from '../../support/race.ts'

const stack = useAccountsStack()
const anyBody = z.record(z.string(), z.unknown())

/** A signed-in user, and a way to call the API as them. */
async function signedIn() {
  const registered = await register(stack())
  const { tokens } = await signIn(stack(), registered)
  const call = async (method: 'GET' | 'PATCH', body?: unknown) => {
    const response = await fetch(`${stack().baseUrl}/api/users/me`, {
      method,
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: anyBody.parse(await response.json()) }
  }
  return { userId: registered.userId, call }
}

type SignedIn = Awaited<ReturnType<typeof signedIn>>

const written = () =>
  stack()
    .database.calls()
    .filter(({ operation }) => operation !== 'BatchGetItem')

/** Reserved usernames in lower case, by user. */
async function heldBy(userId: string): Promise<string[]> {
  const items = await stack().stored()
  return items.filter((item) => item.sk === 'USERNAME' && item.userId === userId).map(({ pk }) => String(pk).slice(9))
}

describe('GET /api/users/me', () => {
  // [asvs 8.2.3 10.3.3 15.3.1]
  it('answers exactly the User object', async () => {
    const { userId, call } = await signedIn()
    const user = await stack().users.find(userId)
    expect(await call('GET')).toEqual({
      status: 200,
      body: {
        id: userId,
        email: user?.email,
        username: user?.username,
        is_active: true,
        is_verified: true,
        is_superuser: false,
        created_at: new Date(stack().clock.now()).toISOString().replace('.000Z', 'Z'),
      },
    })
  })

  // [asvs 7.4.2]
  it('answers 401 to an inactive user, and to an access token of 15 minutes ago', async () => {
    const { userId, call } = await signedIn()
    await stack().setActive(userId, false)
    expect(await call('GET')).toEqual({ status: 401, body: errorBody('Unauthorized', 'invalid_token') })
    expect(await call('PATCH', { username: 'ghost' })).toEqual({
      status: 401,
      body: errorBody('Unauthorized', 'invalid_token'),
    })
    await stack().setActive(userId, true)
    expect((await call('GET')).status).toBe(200)
    stack().advance(901)
    expect((await call('GET')).status).toBe(401)
  })

  it('answers 503 when the store is unavailable', async () => {
    const { call } = await signedIn()
    stack().database.fail({ times: 3, kind: 'drop_before' })
    expect((await call('GET')).status).toBe(503)
  })
})

describe('PATCH /api/users/me', () => {
  let me: SignedIn
  beforeAll(async () => {
    me = await signedIn()
  })

  describe('Given a free username', () => {
    it('answers the changed user, keeps the new name and frees the old one', async () => {
      const { body } = await me.call('GET')
      expect(await me.call('PATCH', { username: 'New.Name_1' })).toEqual({
        status: 200,
        body: { ...body, username: 'New.Name_1' },
      })
      expect(await me.call('GET')).toMatchObject({ body: { username: 'New.Name_1' } })
      expect(await heldBy(me.userId)).toEqual(['new.name_1'])
    })

    it('lets another user take the freed name', async () => {
      const other = await signedIn()
      await other.call('PATCH', { username: 'given-back' })
      await other.call('PATCH', { username: 'something-else' })
      expect((await me.call('PATCH', { username: 'given-back' })).status).toBe(200)
    })

    // [threat 67]
    it('gives it to exactly one of many users at once', async () => {
      const rivals = await race(() => signedIn())
      const answers = await Promise.all(rivals.map(({ call }) => call('PATCH', { username: 'wanted' })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(racers - 1).fill(409)])
    })

    it('holds exactly one name after one user’s parallel changes', async () => {
      const { userId, call } = await signedIn()
      const answers = await Promise.all(['alpha', 'beta', 'gamma'].map((username) => call('PATCH', { username })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      const user = await stack().users.find(userId)
      expect(await heldBy(userId)).toEqual([user?.username])
    })
  })

  describe('Given the current username', () => {
    it('changes its case', async () => {
      await me.call('PATCH', { username: 'My-Name' })
      expect(await me.call('PATCH', { username: 'MY-NAME' })).toMatchObject({
        status: 200,
        body: { username: 'MY-NAME' },
      })
      expect(await heldBy(me.userId)).toEqual(['my-name'])
    })

    it.each([[{}], [{ username: 'same' }]])('writes nothing for %p', async (change) => {
      await me.call('PATCH', { username: 'same' })
      stack().database.reset()
      expect(await me.call('PATCH', change)).toMatchObject({ status: 200, body: { username: 'same' } })
      expect(written()).toEqual([])
    })
  })

  describe('Given the username of another user', () => {
    it.each(['taken-name', 'Taken-NAME', 'root', 'SupPort'])(
      'answers 409 to %s and changes nothing',
      async (username) => {
        const other = await signedIn()
        await other.call('PATCH', { username: 'taken-name' })
        const before = await me.call('GET')
        const answer = await me.call('PATCH', { username })
        expect(answer).toEqual({ status: 409, body: errorBody('USERNAME_ALREADY_EXISTS', 'username_already_exists') })
        expect(await me.call('GET')).toEqual(before)
        await other.call('PATCH', { username: `free-${other.userId.slice(0, 8)}` })
      },
    )
  })

  describe('Given an invalid username', () => {
    it.each([
      ['ab', 'string_too_short'],
      ['\u{1F600}\u{1F600}', 'string_too_short'],
      ['a'.repeat(33), 'string_too_long'],
      ['-abc', 'string_pattern_mismatch'],
      ['abc.', 'string_pattern_mismatch'],
      ['a b', 'string_pattern_mismatch'],
      ['abc\n', 'string_pattern_mismatch'],
      ['a@example', 'string_pattern_mismatch'],
      ['äöü', 'string_pattern_mismatch'],
      [null, 'string_type'],
      [123, 'string_type'],
    ])('answers 422 to %p', async (username, type) => {
      expect(await me.call('PATCH', { username })).toEqual({
        status: 422,
        body: { detail: [{ loc: ['body', 'username'], msg: expect.any(String), type }] },
      })
    })

    it.each(['abc', 'a'.repeat(32), 'a-_.9'])('accepts %s', async (username) => {
      expect((await me.call('PATCH', { username })).status).toBe(200)
    })
  })

  describe('Given any other field', () => {
    it.each(['email', 'password', 'is_superuser', 'id', '__proto__'])(
      'answers 422 to %s and writes nothing',
      async (field) => {
        stack().database.reset()
        expect(await me.call('PATCH', JSON.parse(`{"username":"fine-name","${field}":"x"}`))).toEqual({
          status: 422,
          body: { detail: [{ loc: ['body', field], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }] },
        })
        expect(written()).toEqual([])
      },
    )
  })

  describe('Given a store whose answer was lost', () => {
    // [catch writeItem.updateItem]
    it('answers 200, for another name and for another case', async () => {
      const { call } = await signedIn()
      stack().database.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
      expect(await call('PATCH', { username: 'lost-answer' })).toMatchObject({ status: 200 })
      stack().database.fail({ operation: 'UpdateItem', times: 1, kind: 'drop_after' })
      expect(await call('PATCH', { username: 'LOST-answer' })).toMatchObject({ body: { username: 'LOST-answer' } })
    })
  })
})

describe('Creating a user', () => {
  it('is safe to repeat and keeps the first user unchanged', async () => {
    const { userId, call } = await signedIn()
    await call('PATCH', { username: 'renamed-since' })
    const user = await stack().users.find(userId)
    if (!user) throw new Error('the user is gone')
    expect(await stack().users.create({ ...user, username: 'seeded-again' })).toBe('already_exists')
    expect(await heldBy(userId)).toEqual(['renamed-since'])
  })

  it('refuses a name that is taken, in any case', async () => {
    const { userId, call } = await signedIn()
    await call('PATCH', { username: 'first-here' })
    const user = await stack().users.find(userId)
    if (!user) throw new Error('the user is gone')
    const id = userIdSchema.parse(stack().ids.uuid())
    expect(await stack().users.create({ ...user, id, username: 'FIRST-here' })).toBe('username_taken')
    expect(await stack().users.find(id)).toBeUndefined()
  })
})
