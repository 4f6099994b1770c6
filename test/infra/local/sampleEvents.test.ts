import { describe, expect, it } from '@jest/globals'
import { samplesOf } from '../../../infra/local/samples/readSamples.ts'
import { manifest } from '../../../infra/manifest.ts'
import { describeSampleEvents, sampleEvents } from './describeSampleEvents.ts'

// Each fifth; the deep tests invoke with all of them.
await describeSampleEvents(sampleEvents.filter((_, at) => at % 5 === 0))

describe('A sample', () => {
  it('exists for every function', () => {
    expect(manifest.filter(({ name }) => Object.keys(samplesOf(name)).length === 0)).toEqual([])
  })
})
