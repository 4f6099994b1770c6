import { describe, expect, it } from '@jest/globals'
import { organizationIdSchema } from '../../lib/core/ids.ts'
import { eventBody, eventIdOf } from '../../lib/events/event.ts'

const organizationId = organizationIdSchema.parse('11111111-1111-4111-8111-111111111111')
const other = organizationIdSchema.parse('22222222-2222-4222-8222-222222222222')

describe('The id of an event', () => {
  it('is the same for the same fact, and has the form that receivers know', () => {
    const id = eventIdOf('entitlement.changed', organizationId, 'ota 4')
    expect(id).toMatch(/^evt_[0-9a-f]{32}$/)
    expect(eventIdOf('entitlement.changed', organizationId, 'ota 4')).toBe(id)
  })

  it('differs by type, organization and fact', () => {
    const ids = [
      eventIdOf('entitlement.changed', organizationId, 'ota 4'),
      eventIdOf('subscription.changed', organizationId, 'ota 4'),
      eventIdOf('entitlement.changed', other, 'ota 4'),
      eventIdOf('entitlement.changed', organizationId, 'ota 5'),
    ]
    expect(new Set(ids).size).toBe(4)
  })
})

describe('The body of an event', () => {
  it('has the members of the contract in their order', () => {
    const at = Date.UTC(2026, 10, 28, 14, 0, 7, 250)
    const event = {
      organizationId,
      id: 'evt_1',
      type: 'member.added',
      at,
      sequence: 12,
      data: { role: 'member' },
    } as const
    expect(eventBody(event)).toBe(
      `{"id":"evt_1","type":"member.added","timestamp":"2026-11-28T14:00:07Z","organization_id":"${organizationId}","sequence":12,"data":{"role":"member"}}`,
    )
    expect(eventBody({ ...event, type: 'endpoint.test', sequence: null })).toContain('"sequence":null')
  })
})
