import { describe, expect, it } from '@jest/globals'
import { differing, forms, occupied, requests, seen, sequences } from './strangersSequences.ts'
import { strangerIn } from './strangersWorld.ts'

// Sequences of 3 requests are in the deep tests.
describe.each(occupied)('Given %s at an address', (world) => {
  // [asvs 6.3.8]
  it('a stranger sees no difference in any sequence of 2, nor where the budgets of mail are used up', async () => {
    const all = sequences([...requests, ...forms], 2)
    expect(await differing(world, all)).toEqual([])
    expect(await differing(world, all, { hasLittleMail: true })).toEqual([])
  })
})

describe('The comparison', () => {
  it('goes through every request of a stranger, and knows one from the other', async () => {
    const { actions } = await strangerIn('nothing')
    expect(new Set(actions)).toEqual(new Set([...requests, ...forms]))
    const outcomes = new Set<string>()
    for (const action of [...requests, ...forms]) outcomes.add(await seen('nothing', [action], {}))
    expect(outcomes.size).toBe(11)
  })
})
