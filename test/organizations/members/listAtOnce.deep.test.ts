import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { useBillingStack } from '../../support/billingStack.ts'
import { peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, organizationOf, setRole, tokenMailedTo } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const listed = z.object({ organizations: z.array(z.looseObject({ id: z.string() })) })

describe('GET /api/organizations, while every index is behind', () => {
  it('misses nothing that the user just created or joined, and has nothing that they just left or lost', async () => {
    const [owner, guest] = [await person(), await person()]
    const namesOf = async (who: typeof owner) =>
      listed.parse((await who.call('GET', '/api/organizations')).body).organizations.map(({ id }) => id)
    bed.stack.dynamoDb.lag()

    const own = await organizationOf(owner)
    expect(await namesOf(owner)).toEqual([own])

    const path = `/api/organizations/${own}`
    expect((await owner.call('POST', `${path}/invitations`, { email: guest.email, role: 'member' })).status).toBe(202)
    const token = await tokenMailedTo(guest.email)
    expect((await guest.call('POST', '/api/organizations/invitations/accept', { token })).status).toBe(200)
    expect(await namesOf(guest)).toEqual([own])

    expect((await guest.call('POST', `${path}/leave`)).status).toBe(204)
    expect(await namesOf(guest)).toEqual([])

    await setRole(own, guest, 'member')
    expect(await namesOf(guest)).toEqual([own])
    expect((await owner.call('DELETE', `${path}/members/${guest.id}`)).status).toBe(204)
    expect(await namesOf(guest)).toEqual([])
  })
})
