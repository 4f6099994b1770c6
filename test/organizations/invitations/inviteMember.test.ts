import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
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
