import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import * as z from 'zod'
import { createAccountDeletions } from '../../../lib/adapters/dynamodb/accountDeletionStore.ts'
import { createActivityLog } from '../../../lib/adapters/dynamodb/activityStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import { createActivityRecorder } from '../../../lib/users/activity/recordActivity.ts'
import { visitsOf } from '../../oauth/session/sessionVisits.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'

const stack = useAccountsStack()
const { house, visit, granted, call, ownId } = visitsOf(stack)
const log = () => createActivityLog(stack().documents, tables.accounts.localName)
const DAY = 86_400

const page = z.strictObject({
  entries: z.array(
    z.strictObject({
      at: z.iso.datetime(),
      type: z.string(),
      browser: z.string().nullable(),
      place: z.string().nullable(),
      ip: z.string().nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
})

/** A user who has just signed in, and a way to read their activity. */
async function signedIn() {
  const client = await house()
  const { visitor, user } = await visit(client)
  const tokens = await granted(visitor, client)
  const read = async (query = '') => page.parse((await call('GET', `/activity${query}`, tokens)).body)
  return { userId: userIdSchema.parse(user.id), tokens, read }
}

const add = (userId: UserId, at: number) => log().add(userId, { id: stack().ids.uuid(), at, type: 'session_ended' })

describe('GET /api/users/me/activity', () => {
  // [threat 30.8a]
  it('lists a sign-in with its browser and network, and no country without CloudFront', async () => {
    const { read } = await signedIn()
    const at = expect.stringMatching(/^2026-11-20T08:0\d:\d\d\.\d{3}Z$/)
    const entry = { at, type: 'sign_in', browser: 'Firefox on Linux', place: null, ip: '127.0.0.1' }
    expect(await read()).toEqual({ entries: [entry], next_cursor: null })
  })

  it('lists what the user does later first', async () => {
    const { tokens, read } = await signedIn()
    const client = await house()
    const other = await granted((await visit(client, await userOf(tokens))).visitor, client)
    stack().advance(1)
    await call('DELETE', `/sessions/${await ownId(other)}`, tokens)
    expect((await read()).entries.map(({ type }) => type)).toEqual(['session_ended', 'sign_in', 'sign_in'])
  })

  it('has pages', async () => {
    const { userId, read } = await signedIn()
    for (const seconds of [1, 2, 3]) await add(userId, stack().clock.now() + seconds * 1000)
    const first = await read('?limit=2')
    expect(first.entries).toHaveLength(2)
    const second = await read(`?limit=2&cursor=${first.next_cursor}`)
    expect(second.next_cursor).toBeNull()
    const all = (await read()).entries
    expect([...first.entries, ...second.entries]).toEqual(all)
    expect(all).toHaveLength(4)
  })

  it('ends after 90 days, whether or not the store has deleted what is older', async () => {
    const { userId, read } = await signedIn()
    const now = stack().clock.now()
    await add(userId, now - 90 * DAY * 1000)
    await add(userId, now - 90 * DAY * 1000 + 1000)
    expect((await read()).entries.map(({ type }) => type)).toEqual(['sign_in', 'session_ended'])
    const items = (await stack().stored()).filter(({ sk }) => String(sk).startsWith('ACTIVITY#'))
    for (const { at, expiresAt } of items) expect(expiresAt).toBe(Math.ceil(Number(at) / 1000) + 90 * DAY)
  })

  // [threat 30.8c]
  it('has nothing of another user, and takes no cursor of another user’s list', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    await add(other.userId, stack().clock.now() + 1000)
    expect((await one.read()).entries).toHaveLength(1)
    const { next_cursor } = await other.read('?limit=1')
    expect((await call('GET', `/activity?cursor=${next_cursor}`, one.tokens)).status).toBe(422)
  })

  // [threat 30.8c]
  it('lists entries only, whatever a cursor says', async () => {
    const { userId, tokens } = await signedIn()
    for (const position of ['~', 'USER', '\uffff', '../USER']) {
      const cursor = Buffer.from(JSON.stringify([userId, position])).toString('base64url')
      const { status, body } = await call('GET', `/activity?cursor=${cursor}`, tokens)
      expect(status).toBe(200)
      expect(page.parse(body).entries.every(({ type }) => type === 'sign_in')).toBe(true)
    }
  })
})

/** The user of an access token, who signs in with the password of every new account. */
async function userOf({ access_token }: { access_token: string }) {
  const { sub = '' } = decodeJwt(access_token)
  const user = await stack().users.find(userIdSchema.parse(sub))
  return { id: sub, email: user?.email ?? '' }
}

describe('The activity of an erased user', () => {
  it('is erased with everything else of the user', async () => {
    const { userId } = await signedIn()
    await add(userId, stack().clock.now())
    const own = async () => (await stack().stored()).filter(({ pk }) => pk === `USER#${userId}`).map(({ sk }) => sk)
    expect((await own()).filter((sk) => String(sk).startsWith('ACTIVITY#'))).toHaveLength(2)
    const names = { accounts: tables.accounts.localName, billing: 'billing', auditLog: undefined }
    await createAccountDeletions(stack().documents, names).eraseBelongings(userId)
    expect(await own()).toEqual(['USER'])
  })
})

describe('An entry that cannot be stored', () => {
  // [catch recordActivity.record]
  it('is logged, and undoes nothing', async () => {
    const errors: unknown[] = []
    const { record } = createActivityRecorder({
      activityLog: {
        add: async () => {
          throw new Error('the table is full')
        },
      },
      origin: () => undefined,
      nameBrowser: async () => undefined,
      ids: stack().ids,
      clock: stack().clock,
      logger: { error: (...entry) => errors.push(entry) },
    })
    await record(userIdSchema.parse(stack().ids.uuid()), 'sign_in')
    expect(errors).toEqual([['Activity not recorded', { type: 'sign_in', reason: 'Error' }]])
  })
})
