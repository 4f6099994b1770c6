import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { costReport } from '../../../infra/cost/costReport.ts'
import { dollarsOfMonth, KEYS, watching } from '../../../infra/cost/watching.ts'
import { metrics } from '../../../lib/log/metrics.ts'
import { stageWith, synthesizeStage } from '../aws/stacks/synthesized.ts'

const { stacks } = synthesizeStage(stageWith({}, 'prod'))

/** The properties of every resource of a type, in all stacks. */
const all = <Schema extends z.ZodType>(type: string, schema: Schema) =>
  z
    .array(schema)
    .parse(
      stacks.flatMap(([, { json }]) =>
        Object.values(json.Resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : [])),
      ),
    )

describe('What watches production', () => {
  it('has the metrics that its alarms watch, each of an expression counted', () => {
    const alarm = z.object({ Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional() })
    const counted = all('AWS::CloudWatch::Alarm', alarm).map(({ Metrics }) =>
      Metrics ? Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length : 1,
    )
    expect(watching.alarmMetrics.count).toBe(counted.reduce((sum, one) => sum + one, 0))
  })

  it('has its composite alarms', () => {
    expect(watching.compositeAlarms.count).toBe(all('AWS::CloudWatch::CompositeAlarm', z.looseObject({})).length)
  })

  it('has the metrics that are counted in the access log and of mails', () => {
    expect(watching.logMetrics.count).toBe(all('AWS::Logs::MetricFilter', z.looseObject({})).length)
    const destination = z.object({ EventDestination: z.object({ MatchingEventTypes: z.array(z.string()) }) })
    const events = all('AWS::SES::ConfigurationSetEventDestination', destination)
    expect(watching.mailMetrics.count).toBe(events.flatMap((one) => one.EventDestination.MatchingEventTypes).length)
  })

  it('has every metric that functions emit, and more for one with a dimension of its own', () => {
    expect(watching.serviceMetrics.count).toBeGreaterThan(Object.keys(metrics).length)
  })

  it('has the dashboard and the canary', () => {
    expect(watching.dashboards.count).toBe(all('AWS::CloudWatch::Dashboard', z.looseObject({})).length)
    const schedule = z.object({ Schedule: z.object({ Expression: z.string() }) })
    const [canary] = all('AWS::Synthetics::Canary', schedule)
    const [, minutes] = /^rate\((\d+) minutes\)$/.exec(canary?.Schedule.Expression ?? '') ?? []
    expect(watching.canaryRuns.count).toBe((30 * 24 * 60) / Number(minutes))
  })

  it('has the rules that find throttled keys: of each table and index, one for each attribute of its key', () => {
    const keyed = z.object({ KeySchema: z.array(z.unknown()) })
    const table = keyed.extend({
      GlobalSecondaryIndexes: z.array(keyed).default([]),
      Replicas: z.tuple([z.object({ ContributorInsightsSpecification: z.object({ Enabled: z.literal(true) }) })]),
    })
    const schemas = all('AWS::DynamoDB::GlobalTable', table).flatMap((one) => [one, ...one.GlobalSecondaryIndexes])
    expect(watching.insightRules.count).toBe(schemas.reduce((sum, { KeySchema }) => sum + KeySchema.length, 0))
  })

  it('has its keys beside those of customers and tokens', () => {
    expect(KEYS).toBe(all('AWS::KMS::Key', z.looseObject({})).length)
    expect(costReport()).toContain(`\n${KEYS} keys and`)
  })

  it('is in the report, line by line and in sum', () => {
    const report = costReport()
    for (const one of Object.values(watching)) {
      const line = report.split('\n').find((text) => text.startsWith(one.name))
      expect(line?.split(/\s+/).slice(-2)).toEqual([`${one.count}`, dollarsOfMonth(one).toFixed(2)])
    }
    const sum = Object.values(watching).reduce((total, one) => total + dollarsOfMonth(one), 0)
    expect(report).toMatch(new RegExp(`^total +${sum.toFixed(2).replace('.', '\\.')}$`, 'm'))
  })
})
