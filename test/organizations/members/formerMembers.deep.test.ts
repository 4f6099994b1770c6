import { afterEach, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { isServed, notFound, operations, reads, restricted } from './heldOperations.ts'
import { peopleOf } from './people.ts'

const bed = useBillingStack()
const { team, setRole, stored, expectOwners } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

describe('A member who was removed, with a token that is still valid', () => {
  // [threat 58]
  it.each(['owner', 'billing_admin', 'member'] as const)(
    'a former %s has lost everything with the next request',
    async (role) => {
      const { id, path, owner, stranger: former, member } = await team()
      await setRole(id, former, role)
      const ofRole = reads.filter(({ allowed }) => allowed.includes(role))
      for (const { call } of ofRole) expect(isServed(await call(former, id, member.id))).toBe(true)
      expect((await owner.call('DELETE', `${path}/members/${former.id}`)).status).toBe(204)
      const before = await stored(id)
      for (const { name, call } of operations) {
        const { status, text } = await call(former, id, member.id)
        expect({ name, status, text }).toEqual({ name, ...notFound })
      }
      expect((await former.call('GET', '/api/organizations')).body).toEqual({ organizations: [], next_cursor: null })
      expect(await stored(id)).toEqual(before)
    },
  )

  // [asvs 8.3.2]
  it('and a demoted owner cannot manage it any more', async () => {
    const { id, path, owner, stranger: former, member } = await team()
    await setRole(id, former, 'owner')
    await owner.call('PATCH', `${path}/members/${former.id}`, { role: 'member' })
    for (const { name, call } of restricted) {
      expect({ name, status: (await call(former, id, member.id)).status }).toEqual({ name, status: 403 })
    }
    await expectOwners(id, 1)
  })

  // [asvs 8.3.2] [threat 58]
  it('writes nothing that was decided on a former role', async () => {
    const { id, path, owner, stranger: rival, member } = await team()
    for (let n = 0; n < 5; n += 1) {
      await setRole(id, rival, 'owner')
      await setRole(id, member, 'member')
      const [removed, promoted, renamed] = await Promise.all([
        owner.call('DELETE', `${path}/members/${rival.id}`),
        rival.call('PATCH', `${path}/members/${member.id}`, { role: 'owner' }),
        rival.call('PATCH', path, { name: `Rival ${n}` }),
      ])
      expect(removed.status).toBe(204)
      expect([200, 404]).toContain(promoted.status)
      const { name, roles } = await stored(id)
      expect(roles[member.id]).toBe(promoted.status === 200 ? 'owner' : 'member')
      expect(name === `Rival ${n}`).toBe(renamed.status === 200)
      await expectOwners(id, promoted.status === 200 ? 2 : 1)
    }
  })
})
