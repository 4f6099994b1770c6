import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { useBillingStack } from '../../support/billingStack.ts'
import { type Person, peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, organizationOf, tokenMailedTo } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

/** What other systems hear of an organization, oldest first. */
async function told(id: string) {
  return (await bed.stack.outbox(id)).map(({ type, data }) => [type, data])
}

/** A member's events are in the order of their times, and the stack's clock, asked twice, may be some milliseconds back. */
const later = () => bed.stack.emulator.advance(1)

async function join(owner: Person, guest: Person, path: string, role: string): Promise<void> {
  await owner.call('POST', `${path}/invitations`, { email: guest.email, role })
  const token = await tokenMailedTo(guest.email)
  for (const status of [200, 200]) {
    const answer = await guest.call('POST', '/api/organizations/invitations/accept', { token })
    expect(answer.status).toBe(status)
  }
}

describe('Other systems hear of an organization', () => {
  it('that it was created, as its owners read it, but not of its first owner', async () => {
    const owner = await person()
    const key = { 'idempotency-key': randomUUID() }
    const created = [1, 2].map(() => owner.call('POST', '/api/organizations', { name: 'Acme' }, key))
    const [answer] = await Promise.all(created)
    const { role, ...data } = z.looseObject({ id: z.string(), role: z.string() }).parse(answer?.body)
    expect(await told(data.id)).toEqual([['organization.created', data]])
  })

  it('each change of its members once, whoever repeats the request', async () => {
    const [owner, guest, other] = await Promise.all([person(), person(), person()])
    const id = await organizationOf(owner)
    const path = `/api/organizations/${id}`
    await join(owner, guest, path, 'member')
    await join(owner, other, path, 'billing_admin')
    for (let sent = 0; sent < 2; sent += 1) {
      await owner.call('PATCH', `${path}/members/${guest.id}`, { role: 'billing_admin' })
      await owner.call('DELETE', `${path}/members/${other.id}`)
    }
    await owner.call('POST', `${path}/transfer`, { user_id: guest.id })
    await later()
    await owner.call('POST', `${path}/leave`)
    await later()
    await join(guest, owner, path, 'owner')
    await later()
    // The other owner stays an owner: only the caller's role changes.
    await owner.call('POST', `${path}/transfer`, { user_id: guest.id })
    const said = (await told(id)).slice(1)
    const of = (type: string, { id: user_id }: Person, role: string) => [`member.${type}`, { user_id, role }]
    expect(said.filter(([, data]) => z.looseObject({ user_id: z.string() }).parse(data).user_id !== owner.id)).toEqual([
      of('added', guest, 'member'),
      of('added', other, 'billing_admin'),
      of('role_changed', guest, 'billing_admin'),
      of('removed', other, 'billing_admin'),
      of('role_changed', guest, 'owner'),
    ])
    expect(said.filter(([, data]) => z.looseObject({ user_id: z.string() }).parse(data).user_id === owner.id)).toEqual([
      of('role_changed', owner, 'billing_admin'),
      of('removed', owner, 'billing_admin'),
      of('added', owner, 'owner'),
      of('role_changed', owner, 'billing_admin'),
    ])
  })
})
