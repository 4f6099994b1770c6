import { describe, expect, it } from '@jest/globals'
import { playWebhooks } from './playWebhooks.ts'

describe('Any request to the webhook', () => {
  it('is never a 5xx and never a read where it was not signed, and a 5xx where it was only while the store is away', async () => {
    const { statuses, signed, asked, findings } = await playWebhooks(1000, 20_261_121)
    expect(findings).toEqual([])
    // Requests that are all refused for the same reason would prove little.
    for (const status of ['200', '400', '413', '500']) expect(statuses).toHaveProperty(status)
    expect(signed).toBeGreaterThan(300)
    expect(asked).toBeGreaterThan(100)
  })
})
