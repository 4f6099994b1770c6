import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { DemoUser } from '../../../infra/data/demo.ts'
import { onlyFor } from '../../../lib/http/answer/errorAnswers.ts'
import { errorText } from '../../support/errorBody.ts'
import { everyOperation, mayRead, mayWrite, notThere, on, operationsOf } from '../billingOperations.ts'
import { subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'

const bed = useCleanStack()
const { send, statuses, startWatch, expectUntouched } = operationsOf(bed)

async function setRole(user: DemoUser, organizationId: string, role: string | null): Promise<void> {
  const body = { user_id: bed.stack.client.info.demo[user].id, organization_id: organizationId, role }
  const { status } = await bed.stack.client.send({ method: 'POST', path: '/_local/memberships', body })
  expect(status).toBe(200)
}

const expected = {
  own: { owner: mayWrite, billing_admin: mayWrite, member: mayRead, stranger: notThere },
  second: { owner: mayWrite, billing_admin: notThere, member: notThere, stranger: notThere },
  other: { owner: notThere, billing_admin: notThere, member: notThere, stranger: mayWrite },
  unknown: { owner: notThere, billing_admin: notThere, member: notThere, stranger: notThere },
  nil: { owner: notThere, billing_admin: notThere, member: notThere, stranger: notThere },
} as const

type Place = keyof typeof expected
const places: readonly Place[] = ['own', 'second', 'other', 'unknown', 'nil']
const users: readonly DemoUser[] = ['owner', 'billing_admin', 'member', 'stranger']

function organization(place: Place): string {
  const { demo } = bed.stack.client.info
  return {
    own: demo.organization_id,
    second: demo.second_organization_id,
    other: demo.other_organization_id,
    unknown: randomUUID(),
    nil: '00000000-0000-0000-0000-000000000000',
  }[place]
}

describe('The billing operations', () => {
  describe.each(places)('Given the organization: %s', (place) => {
    // [asvs 8.2.1]
    it.each(users)('answer to %s what the role allows', async (user) => {
      const { stack } = bed
      const token = await stack.token(user)
      const organizationId = organization(place)
      await startWatch()
      expect(await statuses(token, organizationId)).toEqual(expected[place][user])
      if (expected[place][user] !== mayWrite) await expectUntouched()
    })
  })

  describe('Given an organization that is unknown, and one of somebody else', () => {
    // [asvs 8.2.2]
    it.each(everyOperation)('%s answers the same bytes and headers for both', async (_, operation) => {
      const { stack } = bed
      const token = await stack.token('owner')
      const foreign = await send(operation, on(organization('other')), { token })
      expect(foreign).toEqual({
        status: 404,
        text: errorText('Organization not found', 'organization_not_found'),
        headers: expect.objectContaining({ 'content-type': 'application/json', 'cache-control': 'no-store' }),
      })
      for (const place of ['unknown', 'nil'] as const) {
        expect(await send(operation, on(organization(place)), { token })).toEqual(foreign)
      }
    })

    // [asvs 8.4.1]
    it('answer 404 for the one of somebody else though a live subscription stands there', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      const token = await stack.token('stranger')
      await startWatch()
      expect(await statuses(token, organizationId)).toEqual(notThere)
      await expectUntouched()
      expect((await stack.subscriptions(organizationId)).map(({ status }) => status)).toEqual(['active'])
    })
  })

  describe('Given a member without the role', () => {
    it('answer 403 whatever stands there', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      const token = await stack.token('member')
      const forbidden = [403, errorText(onlyFor.billing_admin, 'forbidden')]
      await startWatch()
      const answers = await Promise.all(
        everyOperation.slice(0, 3).map(([, operation]) => send(operation, on(organizationId), { token })),
      )
      expect(answers.map(({ status, text }) => [status, text])).toEqual([forbidden, forbidden, forbidden])
      await expectUntouched()
    })
  })

  describe('Given a role that changes while a token lives', () => {
    // [asvs 8.3.2]
    it('follow it at once', async () => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      const token = await stack.token('billing_admin')
      expect(await statuses(token, organizationId)).toEqual(mayWrite)

      await setRole('billing_admin', organizationId, 'member')
      await startWatch()
      expect(await statuses(token, organizationId)).toEqual(mayRead)
      await expectUntouched()

      await setRole('billing_admin', organizationId, null)
      await startWatch()
      expect(await statuses(token, organizationId)).toEqual(notThere)
      await expectUntouched()

      await setRole('billing_admin', organizationId, 'owner')
      expect(await statuses(token, organizationId)).toEqual(mayWrite)
    })
  })
})
