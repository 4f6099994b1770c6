import { createServer } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createRateLimits } from '../../../lib/adapters/dynamodb/rateLimitStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'

const table = tables.accounts.localName
const window = { functionName: 'oauth-token', principal: '203.0.113.7 console', startsAt: 120, endsAt: 180 }

describe('admit', () => {
  it('throws service_unavailable within three seconds where the store does not answer', async () => {
    const silent = await listenOnLoopback(createServer(() => {}))
    const client = createDocumentClient({ endpoint: silent.url, region: 'us-east-1' })
    const started = performance.now()
    const failure = { code: 'service_unavailable' }
    await expect(createRateLimits(client, table).admit(window, 20)).rejects.toMatchObject(failure)
    expect(performance.now() - started).toBeLessThan(3000)
    client.destroy()
    await silent.close()
  })
})
