import { beforeAll, describe, expect, it } from '@jest/globals'
import { manifest } from '../../../infra/manifest.ts'
import { createRateLimits } from '../../../lib/adapters/dynamodb/rateLimitStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { inTurns } from './inTurns.ts'
import { limitOf } from './limitOf.ts'

process.env.RATE_LIMITS = 'on'
const bed = useBillingStack()
let organizationId = ''
let cardId = ''

/** The operations of billing, of one organization and its audit log, for signed-in users. */
const operations = manifest.flatMap(({ name, trigger }) => {
  if (trigger.kind !== 'http') return []
  const { method, path } = trigger
  const isShown = path.startsWith('/api/billing/') || name === 'organization' || name === 'organizations-audit-log'
  return isShown ? [{ name, method, path }] : []
})

/** Counts requests of a user in this minute, as if they had been sent. */
async function count(functionName: string, principal: string, requests: number): Promise<void> {
  const { admit } = createRateLimits(bed.stack.documents, tables.accounts.localName)
  const now = Math.floor(await bed.stack.emulator.now())
  const startsAt = now - (now % 60)
  const window = { functionName, principal, startsAt, endsAt: startsAt + 60 }
  await inTurns(requests, () => admit(window, requests))
}

beforeAll(async () => {
  const { organizationId: id, card } = await bed.stack.organizationWithCard()
  organizationId = id
  cardId = card
})

describe('An operation of billing', () => {
  // The first second of a window, so that no test runs into the next one.
  beforeAll(async () => {
    const now = Math.floor(await bed.stack.emulator.now())
    await bed.stack.emulator.advance(60 - (now % 60))
  })

  it.each(operations)(
    '$method $path admits the limit of $name, and no gateway is asked by the request after it',
    async (operation) => {
      const { stack } = bed
      const token = await stack.token()
      const { name, method } = operation
      const path = operation.path
        .replace('{product}', 'ota')
        .replace('{payment_method_id}', cardId)
        .replace('{organization_id}', organizationId)
      const request = { method, path: `${path}?organization_id=${organizationId}`, token }
      await count(name, stack.client.info.demo.owner.id, limitOf(name) - 1)
      await stack.emulator.clearRequests()
      expect(await stack.client.send(request)).not.toMatchObject({ status: 429 })
      await stack.emulator.clearRequests()
      expect(await stack.client.send(request)).toEqual({
        status: 429,
        body: errorBody('Too many requests', 'rate_limited'),
      })
      expect(await stack.emulator.requests()).toEqual([])
    },
  )
})
