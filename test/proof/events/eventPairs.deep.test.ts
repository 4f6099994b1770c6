import { describe, expect, it } from '@jest/globals'
import { exploreEvents } from './exploreEvents.ts'

describe('Facts, their events and deliveries', () => {
  it('are whole and in order whatever two calls fail: a twentieth of the second calls', async () => {
    const { runs, findings } = await exploreEvents({ pairs: { every: 20 } })
    process.stdout.write(`pairs of faults in the story of events: ${runs} runs\n`)
    expect(findings).toEqual([])
  })
})
