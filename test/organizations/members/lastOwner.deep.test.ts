import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { racers } from '../../support/race.ts'
import { type Person, peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, people, organizationOf, team, setRole, expectOwners } = peopleOf(bed)

describe('Requests at once that would each remove an owner', () => {
  // [asvs 2.3.2]
  it.each([
    ['leave', 'leave'],
    ['demotions of oneself', 'demote'],
    ['removals of each other', 'remove'],
    ['of every kind', 'mixed'],
  ] as const)('leave one of two owners: %s', async (_, kind) => {
    const { owner, path, id, ...others } = await team()
    await setRole(id, others.member, 'owner')
    const owners = [owner, others.member] as const
    const acts = {
      leave: (self: Person) => self.call('POST', `${path}/leave`),
      demote: (self: Person) => self.call('PATCH', `${path}/members/${self.id}`, { role: 'member' }),
      remove: (self: Person, other: Person) => self.call('DELETE', `${path}/members/${other.id}`),
      transfer: (self: Person) => self.call('POST', `${path}/transfer`, { user_id: others.billing_admin.id }),
    }
    const kinds = kind === 'mixed' ? (['leave', 'demote', 'remove', 'transfer'] as const) : ([kind] as const)
    const answers = await Promise.all(
      Array.from({ length: Math.max(racers, 2 * kinds.length) }, (_, n) => {
        const [self, other] = n % 2 === 0 ? owners : [owners[1], owners[0]]
        return acts[kinds[Math.floor(n / 2) % kinds.length] ?? 'leave'](self, other)
      }),
    )
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    await expectOwners(id, 1)
    expect(answers.some(({ status }) => status < 300)).toBe(true)
  })

  // [asvs 15.4.2] [threat 66]
  it('leave one of many owners who all leave', async () => {
    const owner = await person()
    const id = await organizationOf(owner)
    const others = await people(racers - 1)
    for (const other of others) await setRole(id, other, 'owner')
    const leave = (self: Person) => self.call('POST', `/api/organizations/${id}/leave`)
    const answers = await Promise.all([owner, ...others].map(leave))
    const gone = answers.filter(({ status }) => status === 204).length
    await expectOwners(id, racers - gone)
    expect(gone).toBeLessThan(racers)
    expect(gone).toBeGreaterThan(0)
  })
})
