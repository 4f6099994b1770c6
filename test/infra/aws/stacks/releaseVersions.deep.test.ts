import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import type { StageSettings } from '../../../../infra/data/stages.ts'
import { releaseAlarms } from './releaseAlarms.ts'
import { changedStage, stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

describe('The alarms of a release', () => {
  it('are of one version each: another version has others, and none is left with the state of the last', () => {
    const ofVersion = (stage: StageSettings, name: string) => {
      const stack = synthesizeStage(stage)
      const { id } = stack.service.lambda(name)
      const [version] = stack.service
        .resources('AWS::Lambda::Version', z.object({ FunctionName: reference }))
        .filter(({ Properties }) => Properties.FunctionName === id)
      const own = releaseAlarms(stack).filter(({ Properties }) =>
        Properties.Dimensions.some(({ Value }) => Value === `${version?.id}.Version`),
      )
      return { version: version?.id, alarms: own.map((one) => one.id) }
    }
    // Functions that verify tokens get another version with another key.
    const [before, after] = [ofVersion(stageWith(), 'users-me'), ofVersion(changedStage, 'users-me')]
    expect([before.alarms.length, after.version === before.version]).toEqual([2, false])
    expect(after.alarms.filter((id) => before.alarms.includes(id))).toEqual([])
    // The sweep's version is the same, and so are its alarms.
    expect(ofVersion(changedStage, 'billing-sweep')).toEqual(ofVersion(stageWith(), 'billing-sweep'))
  })
})
