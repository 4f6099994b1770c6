import * as z from 'zod'
import type { ReadTemplate } from '../stacks/templates.ts'
import { reference } from '../stacks/templates.ts'

const metric = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: reference })).default([]),
})
const stat = z.object({
  Id: z.string(),
  MetricStat: z.object({ Metric: metric, Period: z.number(), Stat: z.string() }),
})
const computed = z.object({ Id: z.string(), Expression: z.string() })
const common = z.object({
  AlarmName: z.string(),
  AlarmActions: z.array(reference).default([]),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number().optional(),
  Threshold: z.number(),
  ComparisonOperator: z.enum(['GreaterThanOrEqualToThreshold', 'LessThanThreshold']),
  TreatMissingData: z.enum(['breaching', 'notBreaching']),
})
const ofOne = common.extend({
  ...metric.shape,
  Period: z.number(),
  Statistic: z.string().optional(),
  ExtendedStatistic: z.string().optional(),
})
const ofSeveral = common.extend({ Metrics: z.array(z.union([stat, computed])) })

/** A metric as an alarm reads it. */
export interface ReadMetric {
  readonly namespace: string
  readonly name: string
  readonly dimensions: Readonly<Record<string, string>>
  /** Seconds. */
  readonly period: number
  readonly statistic: string
}

/** A synthesized alarm. */
export interface SynthesizedAlarm {
  /** Without the stage. */
  readonly id: string
  /** The logical ids of the topics. */
  readonly notifies: readonly string[]
  /** By the names that the expression uses. */
  readonly metrics: Readonly<Record<string, ReadMetric>>
  /** Over the names of `metrics`. */
  readonly expression: string
  readonly threshold: number
  readonly below: boolean
  readonly datapoints: number
  readonly periods: number
  readonly missingBreaches: boolean
}

const readMetric = (
  { Namespace, MetricName, Dimensions }: z.infer<typeof metric>,
  period: number,
  statistic: string,
) => ({
  namespace: Namespace,
  name: MetricName,
  dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
  period,
  statistic,
})

const idOf = (name: string) => name.replace(/^\w+-console-/, '')

/** Every metric alarm of a stack. */
export function alarmsOf(stack: ReadTemplate): SynthesizedAlarm[] {
  return stack.resources('AWS::CloudWatch::Alarm', z.union([ofOne, ofSeveral])).map(({ Properties: read }) => {
    const rest = {
      id: idOf(read.AlarmName),
      notifies: read.AlarmActions,
      threshold: read.Threshold,
      below: read.ComparisonOperator === 'LessThanThreshold',
      datapoints: read.DatapointsToAlarm ?? read.EvaluationPeriods,
      periods: read.EvaluationPeriods,
      missingBreaches: read.TreatMissingData === 'breaching',
    }
    if (!('Metrics' in read)) {
      const statistic = read.Statistic ?? read.ExtendedStatistic ?? ''
      return { ...rest, expression: 'only', metrics: { only: readMetric(read, read.Period, statistic) } }
    }
    const stats = read.Metrics.flatMap((one) => ('MetricStat' in one ? [one] : []))
    const [expression = ''] = read.Metrics.flatMap((one) => ('Expression' in one ? [one.Expression] : []))
    const metrics = stats.map(
      ({ Id, MetricStat: { Metric, Period, Stat } }) => [Id, readMetric(Metric, Period, Stat)] as const,
    )
    return { ...rest, expression, metrics: Object.fromEntries(metrics) }
  })
}

const composite = z.object({
  AlarmName: z.string(),
  AlarmRule: reference,
  AlarmActions: z.array(reference),
  ActionsSuppressor: reference.optional(),
})

/** A composite alarm: goes off if any of `anyOf` does, and sends nothing while its suppressor is red. */
export interface SynthesizedComposite {
  readonly id: string
  readonly notifies: readonly string[]
  readonly anyOf: readonly string[]
  readonly suppressor: string | undefined
}

/** Every composite alarm of a stack. */
export function compositesOf(stack: ReadTemplate): SynthesizedComposite[] {
  const all = stack.resources('AWS::CloudWatch::CompositeAlarm', composite)
  const simple = stack.resources('AWS::CloudWatch::Alarm', z.object({ AlarmName: z.string() }))
  const names = new Map([...all, ...simple].map(({ id, Properties }) => [id, idOf(Properties.AlarmName)]))
  const named = (logicalId: string) => names.get(logicalId.replace(/\.Arn$/, '')) ?? logicalId
  return all.map(({ Properties: { AlarmName, AlarmRule, AlarmActions, ActionsSuppressor } }) => {
    if (!/^\(?ALARM\("[\w.]+"\)( OR ALARM\("[\w.]+"\))*\)?$/.test(AlarmRule)) throw new Error(`Not read: ${AlarmRule}`)
    return {
      id: idOf(AlarmName),
      notifies: AlarmActions,
      anyOf: [...AlarmRule.matchAll(/ALARM\("([\w.]+)"\)/g)].map(([, id = '']) => named(id)),
      suppressor: ActionsSuppressor && named(ActionsSuppressor),
    }
  })
}

const metricFilter = z.object({
  FilterPattern: z.string(),
  MetricTransformations: z.tuple([
    z.object({ MetricName: z.string(), MetricNamespace: z.string(), DefaultValue: z.number().optional() }),
  ]),
})

/** What a stack counts in the access log, as CloudWatch Logs does. */
export function accessLogFiltersOf(stack: ReadTemplate) {
  return stack.resources('AWS::Logs::MetricFilter', metricFilter).map(({ Properties }) => {
    const { FilterPattern, MetricTransformations } = Properties
    const [{ MetricName, MetricNamespace, DefaultValue }] = MetricTransformations
    return { metric: MetricName, namespace: MetricNamespace, otherwise: DefaultValue, matches: matcher(FilterPattern) }
  })
}

/**
 * Whether a line of JSON matches, for patterns of terms joined by &&, each `$.field = "text"` or `!=`, with * for anything (CloudWatch Logs'
 * user guide, Filter pattern syntax).
 */
function matcher(pattern: string): (line: Readonly<Record<string, string>>) => boolean {
  const terms = pattern
    .replace(/^\{ | \}$/g, '')
    .split(' && ')
    .map((term) => {
      const [, field = '', operator, text = ''] = /^\$\.(\w+) (!?=) "([^"]*)"$/.exec(term) ?? []
      if (operator === undefined) throw new Error(`Not read: ${term}`)
      const wanted = new RegExp(`^${text.split('*').map(escaped).join('.*')}$`)
      return (line: Readonly<Record<string, string>>) => wanted.test(line[field] ?? '') === (operator === '=')
    })
  return (line) => terms.every((matches) => matches(line))
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
