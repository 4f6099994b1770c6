import { describe, expect, it } from '@jest/globals'
import { stageSettings } from '../../../../infra/data/stages.ts'
import { offered, stageCombinations } from './stageCombinations.ts'
import { findingsIn, stageWith } from './synthesized.ts'

describe('The rule packs (AwsSolutions, Serverless, NIST 800-53 r5)', () => {
  it('let production go into maintenance, as a restore needs', () => {
    expect(findingsIn(stageWith({ maintenance: true }, 'prod'))).toEqual([])
  })

  it('find nothing that is not excused, whichever two settings meet', () => {
    const stages = stageCombinations(2)
    // The message of a failure has one stage for each finding.
    const found = new Map(stages.flatMap((stage) => findingsIn(stage).map((finding) => [finding, stage])))
    expect(Object.fromEntries(found)).toEqual({})
  })

  it('are run on every setting that a stage has', () => {
    const chosen = new Set(Object.values(offered).flatMap((values) => values.flatMap(Object.keys)))
    expect(Object.keys(stageSettings.shape).filter((name) => !chosen.has(name))).toEqual([])
  })
})
