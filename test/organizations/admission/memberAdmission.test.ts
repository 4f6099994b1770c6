import { expect, it } from '@jest/globals'
import type { Caller } from '../../../lib/core/identity.ts'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import { createMemberAdmission } from '../../../lib/organizations/admission/memberAdmission.ts'

const organizationId = organizationIdSchema.parse('5f2b8c1e-9d4a-4e6f-8a7b-1c2d3e4f5a6b')
const userId = userIdSchema.parse('11111111-2222-4333-8444-555555555555')
const now = 1_000_000
const throttle = { requestsPerMinute: 7, until: now + 1 }
const unruled = { callerHasSecondFactor: false }
const request = (): Caller => ({ userId, securityRev: 0 })

function admission() {
  const counted: unknown[] = []
  const admitMember = createMemberAdmission({
    clock: { now: () => now, sync: async () => {} },
    async admit({ functionName, requests, windowSeconds, failMode }, id) {
      counted.push([functionName, requests, windowSeconds, failMode, id])
      if (counted.length > 1) throw new Error('over the limit')
    },
  })
  return { counted, admitMember }
}

it('A request to a throttled organization counts once, however often it reads, and the next is refused', async () => {
  const { counted, admitMember } = admission()
  const first = request()
  const read = { organizationId, throttle, isMember: true, ...unruled }
  await admitMember(first, read)
  await admitMember(first, read)
  expect(counted).toEqual([['organization-throttle', 7, 60, 'open', organizationId]])
  const second = request()
  await expect(admitMember(second, read)).rejects.toThrow('over the limit')
  await expect(admitMember(second, read)).rejects.toThrow('over the limit')
  expect(counted).toHaveLength(2)
})

it.each([
  ['a stranger', { throttle, isMember: false }],
  ['an organization that is not throttled', { throttle: undefined, isMember: true }],
  ['a throttle that has ended', { throttle: { ...throttle, until: now }, isMember: true }],
])('%s is not counted', async (_who, read) => {
  const { counted, admitMember } = admission()
  await admitMember(request(), { organizationId, ...unruled, ...read })
  expect(counted).toEqual([])
})
