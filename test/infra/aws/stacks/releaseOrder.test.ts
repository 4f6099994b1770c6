import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { manifest } from '../../../../infra/manifest.ts'
import { releaseAlarms } from './releaseAlarms.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'

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
  it('stay red for an hour at most after what they saw', () => {
    const seconds = releaseAlarms(prod).map(({ Properties }) => Properties.Period * Properties.EvaluationPeriods)
    expect(seconds.length).toBeGreaterThan(2 * manifest.length - 10)
    expect(Math.max(...seconds)).toBeLessThanOrEqual(900)
  })
})
