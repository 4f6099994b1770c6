import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { type Person, peopleOf } from '../members/people.ts'
import { DAY, deletionBed } from './deletionBed.ts'

const bed = useBillingStack()
const { person, organizationOf, setRole, stored, expectOwners, tokenMailedTo } = peopleOf(bed)
const { run, atRest, submitLink } = deletionBed(bed)

const remove = (who: Person) => who.call('DELETE', '/api/users/me')
const isStored = async (text: string) => (await atRest()).some((item) => JSON.stringify(item).includes(text))

describe('DELETE /api/users/me', () => {
  it('is not done beside a promotion at the same time: an owner is left who is not being deleted', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [owner, member] = [await person(), await person()]
      const id = await organizationOf(owner)
      await setRole(id, member, 'member')
      const promote = owner.call('PATCH', `/api/organizations/${id}/members/${member.id}`, { role: 'owner' })
      const [removed, promoted] = await Promise.all([remove(member), promote])
      expect(removed.status).toBe(202)
      expect([200, 409]).toContain(promoted.status)
      const role = promoted.status === 200 ? 'billing_admin' : 'member'
      expect((await stored(id)).roles).toEqual({ [owner.id]: 'owner', [member.id]: role })
      await expectOwners(id, 1)
    }
  })

  // 20 at once: each owner may go only while another one is left.
  it('leaves an owner where all owners delete their accounts at once', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => person()))
    const [first] = owners
    if (!first) throw new Error('no owner')
    const id = await organizationOf(first)
    for (const owner of owners.slice(1)) await setRole(id, owner, 'owner')
    const answers = await Promise.all(owners.map(remove))
    const gone = answers.filter(({ status }) => status === 202).length
    expect(answers.filter(({ status }) => ![202, 409, 503].includes(status))).toEqual([])
    await expectOwners(id, 4 - gone)
    expect(gone).toBeLessThan(4)
  })
})

describe('The link that takes a deletion back', () => {
  it.each([1, 2, 3])('races with the erasure: exactly one is done (%i)', async () => {
    const who = await person()
    await remove(who)
    const token = await tokenMailedTo(who.email)
    await bed.stack.emulator.advance(30 * DAY - 1)
    const [link] = await Promise.all([submitLink('restore_account', token), bed.stack.emulator.advance(1).then(run)])
    const isBack = link.status === 200
    await bed.stack.emulator.advance(5)
    await run()
    expect(await isStored(`USER#${who.id}`)).toBe(isBack)
    expect(await isStored(who.email)).toBe(isBack)
  })
})
