import { describe, expect, it } from '@jest/globals'
import { differing, occupied, requests, sequences } from './strangersSequences.ts'

describe.each(occupied)('Given %s at an address', (world) => {
  // [threat 15.3a]
  it('a stranger sees no difference in any sequence of 3 requests: no answer, no work, no mail', async () => {
    const all = sequences(requests, 3)
    expect(all).toHaveLength(1331)
    expect(await differing(world, all)).toEqual([])
  })
})
