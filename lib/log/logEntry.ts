import type { LogFields } from './logger.ts'
import { type Counted, type FieldKind, type LogMessage, textLimits } from './logMessage.ts'
import { logMessages, type MessageName } from './logMessages.ts'
import { type MetricName, metrics } from './metrics.ts'

/** A value for a metric, with its dimensions beside `service`. */
export interface Measurement {
  name: MetricName
  unit: 'Count' | 'Seconds'
  value: number
  dimensions: Readonly<Record<string, string>>
}

type Value = LogFields[string]

/** The allowed fields of a message, with texts cut at their kind's length. Omits any other field, and fields of another type. */
export function allowedFields(name: MessageName, fields: LogFields): LogFields {
  const { fields: kinds }: LogMessage = logMessages[name]
  const allowed: Record<string, Value> = {}
  for (const [field, kind] of Object.entries(kinds)) {
    const value = allowedValue(kind, fields[field])
    if (value !== undefined) allowed[field] = value
  }
  return allowed
}

function allowedValue(kind: FieldKind, value: Value): Value {
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  if (kind === 'flag') return typeof value === 'boolean' ? value : undefined
  return typeof value === 'string' ? value.slice(0, textLimits[kind]) : undefined
}

/** The metrics that a line with these fields counts. If a number is missing, it is not counted. */
export function measurements(name: MessageName, fields: LogFields): Measurement[] {
  const { counts }: LogMessage = logMessages[name]
  return counts.flatMap((counted) => measurement(counted, fields) ?? [])
}

function measurement(
  { metric, value: field, dimension, when = {} }: Counted,
  fields: LogFields,
): Measurement | undefined {
  const holds = Object.entries(when).every(([name, values]) => values?.some((value) => value === fields[name]))
  const value = field === undefined ? 1 : fields[field]
  if (!holds || typeof value !== 'number') return undefined
  const { unit, dimension: dimensionName }: { unit: Measurement['unit']; dimension?: string } = metrics[metric]
  if (dimensionName === undefined || dimension === undefined) return { name: metric, unit, value, dimensions: {} }
  // CloudWatch rejects an empty dimension.
  return { name: metric, unit, value, dimensions: { [dimensionName]: `${fields[dimension] || 'unknown'}` } }
}
