import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type FunctionRow, manifest } from '../../../../infra/manifest.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const rows: readonly FunctionRow[] = manifest

describe('A release', () => {
  const prod = synthesizeStage(stageWith({}, 'prod')).service
  const dev = synthesizeStage().service
  const alias = z.object({ Name: z.literal('live'), FunctionName: reference })
  const group = z.looseObject({
    DeploymentConfigName: reference,
    AutoRollbackConfiguration: z.object({ Enabled: z.boolean(), Events: z.array(z.string()) }),
    AlarmConfiguration: z.object({ Enabled: z.boolean(), Alarms: z.array(z.object({ Name: reference })) }),
  })

  it('is of the alias of every function, gradual in production and at once in dev', () => {
    const configurations = (of: typeof prod) =>
      of.resources('AWS::CodeDeploy::DeploymentGroup', group).map(({ Properties }) => Properties.DeploymentConfigName)
    expect(new Set(configurations(prod))).toEqual(new Set(['CodeDeployDefault.LambdaCanary10Percent5Minutes']))
    expect(new Set(configurations(dev))).toEqual(new Set(['CodeDeployDefault.LambdaAllAtOnce']))
    expect(configurations(prod)).toHaveLength(rows.length)
    expect(prod.resources('AWS::Lambda::Alias', alias)).toHaveLength(rows.length + 2)
  })

  it('is taken back where the function fails, or what it answers does', () => {
    const groups = prod.resources('AWS::CodeDeploy::DeploymentGroup', group)
    for (const { Properties } of groups) {
      expect(Properties.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
      })
    }
    const alarms = groups.map(({ Properties }) => Properties.AlarmConfiguration.Alarms.length)
    const schedules = rows.filter(({ trigger }) => trigger.kind === 'schedule')
    expect(alarms.filter((count) => count === 1)).toHaveLength(schedules.length)
    expect(alarms.filter((count) => count === 3)).toHaveLength(rows.length - schedules.length)
  })

  it('is begun while the API answers 5xx, where the stage says that it mends this, and still taken back where it fails itself', () => {
    const mending = synthesizeStage(stageWith({ releaseDuringFaults: true }, 'prod')).service
    const alarms = mending
      .resources('AWS::CodeDeploy::DeploymentGroup', group)
      .map(({ Properties }) => Properties.AlarmConfiguration)
    expect(alarms.map(({ Enabled, Alarms }) => [Enabled, Alarms.length])).toEqual(rows.map(() => [true, 1]))
  })

  it('is taken back by the first failure of the new version, and no longer than a quarter of an hour after it', () => {
    const dimension = z.object({ Name: z.string(), Value: reference })
    const alarm = z.looseObject({
      Threshold: z.number(),
      Period: z.number(),
      EvaluationPeriods: z.number(),
      Dimensions: z.array(dimension),
    })
    const seconds = { minute: 60, '15 minutes': 900, day: 900 } as const
    const versions = prod.resources('AWS::Lambda::Version', z.object({ FunctionName: reference }))
    for (const { name, trigger } of rows) {
      const { id } = prod.lambda(name)
      const version = versions.find(({ Properties }) => Properties.FunctionName === id)
      const [own] = prod
        .resources('AWS::CloudWatch::Alarm', alarm)
        .filter(({ Properties }) => Properties.MetricName === 'Errors')
        .filter(({ Properties }) => Properties.Dimensions.some(({ Value }) => Value === `${version?.id}.Version`))
      const Period = trigger.kind === 'schedule' ? seconds[trigger.every] : 60
      expect(own?.Properties).toMatchObject({ MetricName: 'Errors', Threshold: 1, Period, EvaluationPeriods: 1 })
      expect(own?.Properties.Dimensions.find(({ Name }) => Name === 'Resource')?.Value).toBe(`${id}:live`)
    }
  })

  const answered = z.looseObject({
    Dimensions: z.array(z.object({ Name: z.string(), Value: reference })).default([]),
    DatapointsToAlarm: z.number().optional(),
  })
  const faultAlarms = prod
    .resources('AWS::CloudWatch::Alarm', answered)
    .filter(({ Properties }) => Properties.MetricName === 'VersionFaults')

  it.each(rows.filter(({ trigger }) => trigger.kind !== 'schedule'))(
    'is taken back where the new version of $name answers 5xx, which Lambda counts as served',
    ({ name, trigger }) => {
      const { id } = prod.lambda(name)
      const [version] = prod
        .resources('AWS::Lambda::Version', z.object({ FunctionName: reference }))
        .filter(({ Properties }) => Properties.FunctionName === id)
      const own = faultAlarms.filter(({ Properties }) => Properties.Dimensions.some(({ Value }) => Value === id))
      const [alarm] = own
      expect(own).toHaveLength(1)
      expect(Object.fromEntries(alarm?.Properties.Dimensions.map(({ Name, Value }) => [Name, Value]) ?? [])).toEqual({
        service: 'console-backend',
        stage: 'prod',
        function: id,
        version: `${version?.id}.Version`,
      })
      const isMoney =
        trigger.kind === 'url' ||
        (trigger.kind === 'http' && trigger.method === 'POST' && trigger.path.startsWith('/api/billing/'))
      expect(alarm?.Properties).toMatchObject({
        Namespace: 'ConsoleBackend',
        Statistic: 'Sum',
        Period: 60,
        Threshold: 1,
        TreatMissingData: 'notBreaching',
        // One is enough where someone pays; elsewhere one in each of two minutes, within the five of a canary.
        ...(isMoney ? { DatapointsToAlarm: 1, EvaluationPeriods: 1 } : { DatapointsToAlarm: 2, EvaluationPeriods: 5 }),
      })
      const watching = prod
        .resources('AWS::CodeDeploy::DeploymentGroup', group)
        .filter(({ Properties }) => Properties.AlarmConfiguration.Alarms.some(({ Name }) => Name === alarm?.id))
      expect(watching).toHaveLength(1)
    },
  )

  it('is of a schedule taken back by its failures alone: a schedule answers no one', () => {
    expect(faultAlarms).toHaveLength(rows.filter(({ trigger }) => trigger.kind !== 'schedule').length)
  })

  it('leaves the earlier version where it is', () => {
    const versions = prod.resources('AWS::Lambda::Version', z.looseObject({}))
    expect(new Set(versions.map(({ DeletionPolicy }) => DeletionPolicy))).toEqual(new Set(['Retain']))
  })
})

describe('Tracing', () => {
  const traced = synthesizeStage(stageWith({ tracing: true })).service
  const untraced = synthesizeStage(stageWith({ tracing: false })).service
  const modes = ({ lambdas }: typeof traced) =>
    lambdas.filter(({ FunctionName }) => FunctionName).map(({ TracingConfig }) => TracingConfig?.Mode)

  it('is on or off for every function as the stage says', () => {
    expect(new Set(modes(traced))).toEqual(new Set(['Active']))
    expect(new Set(modes(untraced))).toEqual(new Set([undefined]))
  })

  it.each(rows.map(({ name }) => name))('lets a function write its traces where the stage traces: %s', (name) => {
    const isAllowed = [traced, untraced].map((stack) => {
      const { Role } = stack.lambda(name)
      const actions = stack.statements(Role.replace('.Arn', '')).flatMap(({ Action }) => Action)
      return actions.includes('xray:PutTraceSegments')
    })
    expect(isAllowed).toEqual([true, false])
  })
})
