import { describe, expect, it } from '@jest/globals'
import { exploreEvents } from './exploreEvents.ts'

describe('Facts, their events and deliveries', () => {
  it('are whole and in order whatever single call fails, by every kind of fault', async () => {
    const { runs, reached, findings } = await exploreEvents({ pairs: false })
    expect(findings).toEqual([])
    expect(runs).toBeGreaterThan(300)
    expect([...reached].sort()).toEqual([
      'cipher.decrypt',
      'endpoints.list',
      'outbox.read',
      'outbox.relay',
      'queue.claim',
      'queue.endTurn',
      'queue.noteTrouble',
      'queue.read',
      'queue.settle',
      'queue.takeTurn',
      'records.commit',
      'server.send',
    ])
  })
})
