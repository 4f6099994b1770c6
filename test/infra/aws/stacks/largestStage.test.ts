import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { stageSettings } from '../../../../infra/data/stages.ts'
import { offered } from './stageCombinations.ts'
import { findingsIn, fullStage, synthesizeStage } from './synthesized.ts'

describe('The rule packs (AwsSolutions, Serverless, NIST 800-53 r5)', () => {
  // Every combination of three settings is in the deep tests.
  it('find nothing that is not excused in a stage with all that there is', () => {
    expect(findingsIn(fullStage)).toEqual([])
  })

  it('are run on every setting that a stage has', () => {
    const chosen = new Set(Object.values(offered).flatMap((values) => values.flatMap(Object.keys)))
    expect(Object.keys(stageSettings.shape).filter((name) => !chosen.has(name))).toEqual([])
  })
})

describe('What CloudFormation takes', () => {
  const whatToDo =
    'put the next rows into an area of their own in infra/manifest.ts (infra/runbook/releases.md, Deployment order)'
  const largest = synthesizeStage(fullStage)
  const anything = z.record(z.string(), z.unknown())

  it.each(largest.stacks.map(([name, { written }]) => ({ name, written })))(
    'is not used up by the stack $name of the largest stage',
    ({ written }) => {
      // The limits are 500 resources and 1 MB.
      const count = Object.keys(anything.parse(anything.parse(written).Resources)).length
      const fits = 'fewer than 400 resources'
      expect(count < 400 ? fits : `${count} resources: ${whatToDo}`).toBe(fits)
      expect(JSON.stringify(written, undefined, 1).length).toBeLessThan(900_000)
    },
  )
})
