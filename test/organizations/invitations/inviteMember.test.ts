import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { createMailBudgets } from '../../../lib/adapters/dynamodb/mailBudgetStore.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { person, team, mailsTo, tokenMailedTo } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const DAY = 24 * 3600
const newAddress = () => `guest-${randomUUID().slice(0, 8)}@example.com`

describe('POST /api/organizations/{organization_id}/invitations', () => {
  it('answers 202 with the invitation, and mails a link that works for 7 days', async () => {
    const { owner, path } = await team()
    const email = newAddress()
    const before = await bed.stack.emulator.now()
    const answer = await owner.call('POST', `${path}/invitations`, { email: ` ${email} `, role: 'billing_admin' })
    const after = await bed.stack.emulator.now()
    expect(answer).toMatchObject({
      status: 202,
      body: {
        id: expect.any(String),
        email,
        role: 'billing_admin',
        invited_by: owner.id,
        expires_at: expect.any(String),
      },
    })
    const { expires_at } = z.object({ expires_at: z.iso.datetime() }).parse(answer.body)
    const expiresAt = Date.parse(expires_at) / 1000 - 7 * DAY
    expect(expiresAt).toBeGreaterThanOrEqual(before)
    expect(expiresAt).toBeLessThanOrEqual(after)
    const mails = await mailsTo(email)
    expect(mails).toEqual([expect.objectContaining({ subject: 'You’re invited to join an organization' })])
    const token = await tokenMailedTo(email)
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(answer.text).not.toContain(token)
    expect(JSON.stringify(await bed.stack.items())).not.toContain(token)
    expect((await owner.call('GET', `${path}/members`)).body).toMatchObject({ invitations: [answer.body] })
  })

  // [asvs 6.3.8] [threat 85]
  it('does not reveal whether the address has an account: the same answer, the same calls', async () => {
    const { owner, path, member } = await team()
    const [known, unknown] = [(await person()).email, newAddress()]
    const seen = await Promise.all(
      [known, unknown, member.email].map(async (email) => {
        const { status, text, headers } = await owner.call('POST', `${path}/invitations`, { email, role: 'member' })
        const { id, email: _email, ...rest } = z.looseObject({ id: z.string() }).parse(JSON.parse(text))
        const { 'content-length': _length, ...others } = headers
        return JSON.stringify({ status, rest, length: id.length, others })
      }),
    )
    expect(new Set(seen).size).toBe(1)
    const calls = async (email: string) => {
      bed.stack.dynamoDb.reset()
      await owner.call('POST', `${path}/invitations`, { email, role: 'member' })
      return bed.stack.dynamoDb.calls().map(({ operation }) => operation)
    }
    expect(await calls(known)).toEqual(await calls(unknown))
  })

  it.each([
    'no-address',
    'a@b',
    'a@b@example.com',
    'Name <a@example.com>',
    'a@example.com,b@example.com',
    'a b@example.com',
    'a\n@example.com',
    '.a@example.com',
    'a..b@example.com',
    'a@-example.com',
    'a@example..com',
    'a@127.0.0.1',
    'jörg@example.com',
    '@example.com',
    `${'a'.repeat(250)}@example.com`,
    'a@example.test',
    '',
  ])('answers 422 to the address %j, and sends nothing', async (email) => {
    const { owner, path } = await team()
    expect(await owner.call('POST', `${path}/invitations`, { email, role: 'member' })).toMatchObject({
      status: 422,
      body: {
        detail: [{ loc: ['body', 'email'], type: 'value_error', msg: expect.stringContaining('not a valid email') }],
      },
    })
    expect((await owner.call('GET', `${path}/members`)).body).toMatchObject({ invitations: [] })
  })

  it('answers 422 to an unknown role, and to a missing one', async () => {
    const { owner, path } = await team()
    for (const body of [{ email: newAddress(), role: 'king' }, { email: newAddress() }]) {
      const answer = await owner.call('POST', `${path}/invitations`, body)
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'role'] }] } })
    }
  })

  it('accepts a domain in other scripts', async () => {
    const { owner, path } = await team()
    const answer = await owner.call('POST', `${path}/invitations`, {
      email: 'guest@bücher.example.com',
      role: 'member',
    })
    expect(answer.status).toBe(202)
  })
})

describe('The budgets of invitations', () => {
  it('refuse with 429 and Retry-After what an organization sends too much, without a mail or an entry, and nothing of another', async () => {
    const { owner, path } = await team()
    const invite = (email: string) => owner.call('POST', `${path}/invitations`, { email, role: 'member' })
    const budget = createMailBudgets(bed.stack.documents, bed.stack.client.info.tables.accounts)
    const now = (await bed.stack.emulator.now()) * 1000
    const organization = { kind: 'invitation_by_organization', subject: path.split('/').at(-1) ?? '' } as const
    for (let sent = 0; sent < 99; sent += 1) {
      await budget.spend(organization, { everyMs: 900_000, latestFull: Number.MAX_SAFE_INTEGER, now })
    }
    expect((await invite(newAddress())).status).toBe(202)
    const email = newAddress()
    const refusal = await invite(email)
    expect(refusal).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
    expect(await mailsTo(email)).toEqual([])
    const other = await team()
    expect((await other.owner.call('POST', `${other.path}/invitations`, { email, role: 'member' })).status).toBe(202)
  })

  // [threat 15.3c]
  it('refuse more than 10 of an organization to one address, and nothing of another organization to it', async () => {
    const [one, other, email] = [await team(), await team(), newAddress()]
    const invite = ({ owner, path }: typeof one) => owner.call('POST', `${path}/invitations`, { email, role: 'member' })
    const statuses: number[] = []
    for (let sent = 0; sent < 11; sent += 1) statuses.push((await invite(one)).status)
    expect(statuses).toEqual([...Array<number>(10).fill(202), 429])
    expect((await invite(other)).status).toBe(202)
  })

  // [threat 30.5a]
  it('keep the invitation and drop its mail once strangers have used up the mails of the address, and answer alike', async () => {
    const [strangers, honest, email] = [await team(), await team(), newAddress()]
    const invite = ({ owner, path }: typeof honest, to: string) =>
      owner.call('POST', `${path}/invitations`, { email: to, role: 'member' })
    for (let sent = 0; sent < 10; sent += 1) expect((await invite(strangers, email)).status).toBe(202)
    const [kept, usual] = [await invite(honest, email), await invite(honest, newAddress())]
    const shape = ({ status, body, headers: { 'content-length': _, ...headers } }: typeof kept) => {
      return { status, headers, members: Object.keys(Object(body)).sort() }
    }
    expect(shape(kept)).toEqual(shape(usual))
    expect(await mailsTo(email)).toHaveLength(10)
    const { body } = await honest.owner.call('GET', `${honest.path}/members`)
    expect(body).toMatchObject({ invitations: expect.arrayContaining([kept.body, usual.body]) })
    const guest = await person({ email })
    expect((await guest.call('GET', '/api/users/me/invitations')).body).toMatchObject({
      invitations: expect.arrayContaining([expect.objectContaining({ organization: { id: honest.id, name: 'Acme' } })]),
    })
  })

  // [threat 30.5a]
  it('leave the link in an earlier mail valid when the mail of a repetition is dropped', async () => {
    const [strangers, honest, email] = [await team(), await team(), newAddress()]
    const invite = ({ owner, path }: typeof honest, role: string) =>
      owner.call('POST', `${path}/invitations`, { email, role })
    await invite(honest, 'member')
    const token = await tokenMailedTo(email)
    for (let sent = 0; sent < 9; sent += 1) await invite(strangers, 'member')
    expect((await invite(honest, 'billing_admin')).status).toBe(202)
    const guest = await person({ email })
    const accepted = await guest.call('POST', '/api/organizations/invitations/accept', { token })
    expect(accepted).toMatchObject({ status: 200, body: { id: honest.id, role: 'billing_admin' } })
    expect((await invite(honest, 'member')).status).toBe(202)
    expect((await guest.call('POST', '/api/organizations/invitations/accept', { token })).body).toMatchObject({
      id: honest.id,
    })
  })
})
