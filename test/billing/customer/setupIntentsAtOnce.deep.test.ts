import { describe, expect, it } from '@jest/globals'
import { race, racers } from '../../support/race.ts'
import { unavailable, useSetupIntents } from './useSetupIntents.ts'

const { bed, secretOf, setUp, setupIntentOf, expectBound } = useSetupIntents()

describe('POST /api/billing/card-gateway/setup-intent', () => {
  it('creates one customer for many first requests at once', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    const token = await bed.stack.token()
    const answers = await race(() => setUp(organizationId, token))
    const intents = await Promise.all(answers.map(setupIntentOf))
    expect(new Set(intents.map(({ id }) => id)).size).toBe(racers)
    const [customer, ...others] = new Set(intents.map((intent) => intent.customer))
    expect(others).toEqual([])
    await expectBound(organizationId, customer)
  })

  it('creates one customer for five first requests at once while the gateway is slow', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    const token = await bed.stack.token()
    await bed.stack.emulator.fault({ method: 'POST', path: '/v1/customers', kind: 'delay', delay_ms: 700 })
    const answers = await Promise.all(Array.from({ length: 5 }, () => setUp(organizationId, token)))
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    const intent = await setupIntentOf(await setUp(organizationId))
    await expectBound(organizationId, intent.customer)
  })

  describe('Given an Idempotency-Key', () => {
    it('answers the same secret to five requests at once', async () => {
      const { organizationId } = await bed.stack.organizationWithCard()
      const token = await bed.stack.token()
      const answers = await Promise.all(Array.from({ length: 5 }, () => setUp(organizationId, token, 'at once')))
      for (const { status, retryAfter } of answers.filter((answer) => answer.status !== 200)) {
        expect({ status, retryAfter }).toEqual(unavailable)
      }
      const secret = await secretOf(setUp(organizationId, token, 'at once'))
      const bodies = answers.flatMap(({ status, body }) => (status === 200 ? [body] : []))
      expect(new Set(bodies.map((body) => JSON.stringify(body)))).toEqual(
        new Set([JSON.stringify({ client_secret: secret })]),
      )
    })
  })
})
