import type { Measurement } from './logEntry.ts'

const namespace = 'ConsoleBackend'

/**
 * A value of a metric as CloudWatch reads it from the log. Its dimensions are `service` and its own.
 * Source: CloudWatch, "Specification: Embedded metric format".
 */
export function embeddedMetric(service: string, at: Date, { name, unit, value, dimensions }: Measurement) {
  return {
    _aws: {
      Timestamp: at.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [['service', ...Object.keys(dimensions)]],
          Metrics: [{ Name: name, Unit: unit }],
        },
      ],
    },
    service,
    ...dimensions,
    [name]: value,
  }
}
