import { describe, expect, it } from '@jest/globals'
import { stageSettings } from '../../../../infra/data/stages.ts'
import { offered } from './stageCombinations.ts'
import { findingsIn, fullStage, stageWith } from './synthesized.ts'

describe('The rule packs (AwsSolutions, Serverless, NIST 800-53 r5)', () => {
  it('let production go into maintenance, as a restore needs', () => {
    expect(findingsIn(stageWith({ maintenance: true }, 'prod'))).toEqual([])
  })

  // Every combination of three settings is in the deep tests.
  it('find nothing that is not excused in a stage with all that there is', () => {
    expect(findingsIn(fullStage)).toEqual([])
  })

  it('are run on every setting that a stage has', () => {
    const chosen = new Set(Object.values(offered).flatMap((values) => values.flatMap(Object.keys)))
    expect(Object.keys(stageSettings.shape).filter((name) => !chosen.has(name))).toEqual([])
  })
})
