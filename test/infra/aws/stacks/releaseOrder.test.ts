import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import type { StageSettings } from '../../../../infra/data/stages.ts'
import { manifest } from '../../../../infra/manifest.ts'
import { changedStage, stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const prod = synthesizeStage(stageWith({}, 'prod'))
const update = z.object({ CodeDeployLambdaAliasUpdate: z.unknown() })
const resources = z.record(
  z.string(),
  z.looseObject({ Type: z.string(), DependsOn: z.array(z.string()).default([]), UpdatePolicy: update.optional() }),
)

/** The released aliases of each stack, each with the released aliases that CloudFormation updates before it. */
const stacks = prod.stacks.map(([name, { json }]) => {
  const released = Object.entries(resources.parse(json.Resources)).filter(([, { UpdatePolicy }]) => UpdatePolicy)
  const ids = released.map(([id]) => id)
  const after = released.map(([id, { DependsOn }]) => [id, DependsOn.filter((one) => ids.includes(one))] as const)
  return [name, after] as const
})

describe('The releases of a stack', () => {
  it('are of every function', () => {
    expect(stacks.reduce((sum, [, releases]) => sum + releases.length, 0)).toBe(manifest.length)
    expect(Math.max(...stacks.map(([, releases]) => releases.length))).toBeGreaterThan(20)
  })

  it.each(stacks)('run eight at once, however long each takes: %s', (_, releases) => {
    // Queues: each has one that begins at once, and no release lets two others begin.
    expect(releases.filter(([, before]) => before.length === 0).length).toBeLessThanOrEqual(8)
    const awaited = releases.flatMap(([, before]) => before)
    expect(new Set(awaited).size).toBe(awaited.length)
    expect(releases.every(([, before]) => before.length <= 1)).toBe(true)
  })
})

describe('The alarms of a release', () => {
  const alarm = z.looseObject({
    Period: z.number(),
    EvaluationPeriods: z.number(),
    AlarmDescription: z.string(),
    Dimensions: z.array(z.object({ Name: z.string(), Value: reference })).default([]),
  })
  const releaseAlarms = ({ service }: typeof prod) =>
    service
      .resources('AWS::CloudWatch::Alarm', alarm)
      .filter(({ Properties }) => Properties.AlarmDescription.includes('during a release'))

  it('stay red for an hour at most after what they saw', () => {
    const seconds = releaseAlarms(prod).map(({ Properties }) => Properties.Period * Properties.EvaluationPeriods)
    expect(seconds.length).toBeGreaterThan(2 * manifest.length - 10)
    expect(Math.max(...seconds)).toBeLessThanOrEqual(900)
  })

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
