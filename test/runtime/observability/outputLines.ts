import * as z from 'zod'
import { logMessages, type MessageName } from '../../../lib/log/logMessages.ts'
import { type Metric, type MetricName, metrics } from '../../../lib/log/metrics.ts'

const logLine = z.looseObject({
  level: z.enum(['INFO', 'WARN', 'ERROR']),
  message: z.string(),
  timestamp: z.iso.datetime(),
  service: z.literal('console-backend'),
  sampling_rate: z.number(),
  requestId: z.guid(),
  awsRequestId: z.guid(),
  organizationId: z.guid().optional(),
})

const emfLine = z.looseObject({
  _aws: z.strictObject({
    Timestamp: z.number(),
    CloudWatchMetrics: z.tuple([
      z.strictObject({
        Namespace: z.literal('ConsoleBackend'),
        Dimensions: z.tuple([z.array(z.string())]).rest(z.array(z.string())),
        Metrics: z.tuple([z.strictObject({ Name: z.string(), Unit: z.string() })]),
      }),
    ]),
  }),
  service: z.literal('console-backend'),
})

/** A log line with a message of the registry, and its fields. */
export interface LogLine {
  message: MessageName
  fields: Record<string, unknown>
}

/** One metric's value as CloudWatch would read it, `service` left out. */
export interface MetricLine {
  name: MetricName
  unit: string
  value: unknown
  dimensions: Record<string, unknown>
}

function isMessage(message: string): message is MessageName {
  return Object.hasOwn(logMessages, message)
}

function isMetric(name: string): name is MetricName {
  return Object.hasOwn(metrics, name)
}

/** Whether a line of output is a metric and not a log line. */
export function isMetricLine(line: string): boolean {
  return line.startsWith('{"_aws":')
}

/**
 * Parses a log line.
 * @throws when it is not JSON, or its level, message or fields are not in the registry
 */
export function readLogLine(line: string): LogLine {
  const { message, ...fields } = logLine.parse(JSON.parse(line))
  if (!isMessage(message)) throw new Error(`No message of the registry: ${line}`)
  const { level, fields: kinds } = logMessages[message]
  if (fields.level !== level.toUpperCase()) throw new Error(`Not at level ${level}: ${line}`)
  const allowed = new Set([...Object.keys(logLine.shape), ...Object.keys(kinds)])
  const unknown = Object.keys(fields).filter((field) => !allowed.has(field))
  if (unknown.length > 0) throw new Error(`No fields of '${message}': ${unknown.join(', ')}`)
  return { message, fields }
}

/**
 * Parses a line in the embedded metric format.
 * @throws when its name, unit, dimensions or members are not in the vocabulary
 */
export function readMetricLine(line: string): MetricLine {
  const { _aws, ...members } = emfLine.parse(JSON.parse(line))
  const [{ Dimensions, Metrics }] = _aws.CloudWatchMetrics
  const [{ Name: name, Unit: unit }] = Metrics
  if (!isMetric(name)) throw new Error(`No metric of the vocabulary: ${line}`)
  const metric: Metric = metrics[name]
  const expected = ['service', ...(metric.dimension === undefined ? [] : [metric.dimension])]
  const actual = JSON.stringify([Dimensions, Object.keys(members).toSorted(), unit])
  const sets = metric.total ? [expected, ['service']] : [expected]
  const wanted = JSON.stringify([sets, [...expected, name].toSorted(), metric.unit])
  if (actual !== wanted) throw new Error(`${line} is not ${wanted}`)
  const { service: _, [name]: value, ...dimensions } = members
  return { name, unit, value, dimensions }
}
