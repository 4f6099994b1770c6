import { describe, expect, it } from '@jest/globals'
import { accessLogFiltersOf, alarmsOf } from './alarmTemplates.ts'
import { CloudWatch } from './cloudWatch.ts'
import { synthesizeObservedStage } from './observedStage.ts'
import { playMonth } from './quietMonth.ts'

const { service, observability } = synthesizeObservedStage()
const DAY = 24 * 60

describe('A quiet month', () => {
  it.each([20_261_124, 7, 42])('rings nothing, by seed %d', (seed) => {
    const cloudWatch = new CloudWatch(accessLogFiltersOf(service))
    const until = playMonth(cloudWatch, seed)
    const rang = alarmsOf(observability).flatMap((alarm) => {
      const at = cloudWatch.firstRed(alarm, { from: 26 * 60, until, step: 5 })
      return at === undefined ? [] : [`${alarm.id} on day ${Math.floor(at / DAY)}, minute ${at % DAY}`]
    })
    expect(rang).toEqual([])
  })
})
