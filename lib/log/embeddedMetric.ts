import type { Measurement } from './logEntry.ts'
import { type Metric, metrics } from './metrics.ts'

const namespace = 'ConsoleBackend'

/**
 * A value of a metric as CloudWatch reads it from the log. Its dimensions are `common` and its own; a metric with a total is counted by `common` alone as well.
 * Source: CloudWatch, "Specification: Embedded metric format".
 * @param common dimensions of every metric
 */
export function embeddedMetric(
  common: Readonly<Record<string, string>>,
  at: Date,
  { name, unit, value, dimensions }: Measurement,
) {
  const { total }: Metric = metrics[name]
  const always = Object.keys(common)
  const own = Object.keys(dimensions)
  return {
    _aws: {
      Timestamp: at.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [[...always, ...own], ...(total && own.length > 0 ? [always] : [])],
          Metrics: [{ Name: name, Unit: unit }],
        },
      ],
    },
    ...common,
    ...dimensions,
    [name]: value,
  }
}
