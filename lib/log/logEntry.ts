import type { LogFields } from './logger.ts'
import { type Counted, type FieldKind, type LogMessage, textLimits } from './logMessage.ts'
import { logMessages, type MessageName } from './logMessages.ts'
import { type MetricName, metrics } from './metrics.ts'

/** One value for a metric, with its dimensions beside `service`. */
export interface Measurement {
  name: MetricName
  unit: 'Count' | 'Seconds'
  value: number
  dimensions: Readonly<Record<string, string>>
}

type Value = LogFields[string]

/** The fields that a message may carry, texts cut at their kind's length; any other field, and one of another type, is left out. */
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

/** What a line with these fields adds to metrics. A number that it lacks is not counted. */
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
  // CloudWatch takes no empty dimension.
  return { name: metric, unit, value, dimensions: { [dimensionName]: `${fields[dimension] || 'unknown'}` } }
}
