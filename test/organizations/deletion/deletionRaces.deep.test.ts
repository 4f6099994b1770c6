import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { person, organizationOf, stored, tokenMailedTo } = peopleOf(bed)

describe('DELETE /api/organizations/{organization_id}', () => {
  // The deletion checks that every slot is free, and a purchase reads that nothing is being deleted once it has claimed one.
  it('races with a purchase: at most one is done', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 6; round += 1) {
      const { organizationId, card } = await bed.stack.organizationWithCard()
      const token = await bed.stack.token()
      const path = `/api/organizations/${organizationId}`
      const [bought, deleted] = await Promise.all([
        bed.stack.checkout(organizationId, ['base_ota'], { card }),
        bed.stack.client.send({ method: 'DELETE', path, token }),
      ])
      const isSold = (await bed.stack.subscriptions(organizationId)).some(({ status }) => status === 'active')
      expect(isSold).toBe(bought.status === 201)
      expect(isSold && deleted.status === 202).toBe(false)
      outcomes.add(isSold ? 'sold' : 'deleted')
    }
    expect(outcomes.size).toBeGreaterThan(0)
  }, 60_000)

  it('races with an invitation: who joined is a member of what is deleted, and no one joins after', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [owner, guest] = [await person(), await person()]
      const id = await organizationOf(owner)
      await owner.call('POST', `/api/organizations/${id}/invitations`, { email: guest.email, role: 'member' })
      const token = await tokenMailedTo(guest.email)
      const [joined, left] = await Promise.all([
        guest.call('POST', '/api/organizations/invitations/accept', { token }),
        owner.call('DELETE', '/api/users/me'),
      ])
      // Deleted with the account only where its user is the only member.
      expect([joined.status, left.status]).toEqual(left.status === 202 ? [400, 202] : [200, 409])
      expect(Object.keys((await stored(id)).roles)).toHaveLength(left.status === 202 ? 1 : 2)
    }
  })
})
