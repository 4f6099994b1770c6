import { requestScope } from '../http/endpoint/requestScope.ts'
import { embeddedMetric } from '../log/embeddedMetric.ts'
import { allowedFields, measurements } from '../log/logEntry.ts'
import type { LogEntry, Logger } from '../log/logger.ts'
import type { LogLevel } from '../log/logMessage.ts'
import { type Metric, metrics } from '../log/metrics.ts'
import { environment, traceId } from './environment.ts'

const service = 'console-backend'
const severities = { DEBUG: 0, INFO: 0, WARN: 1, ERROR: 2, SILENT: 3 } as const
const levels = { info: 'INFO', warn: 'WARN', error: 'ERROR' } as const satisfies Record<LogLevel, string>

const { LOG_LEVEL, METRICS, STAGE: stage, AWS_LAMBDA_FUNCTION_NAME, AWS_LAMBDA_FUNCTION_VERSION: version } = environment

/** Dimensions of every metric. */
const common = { service, ...(stage && { stage }) }

/** Separates the answers of the new version from those of the old version during a release; empty if the process is not on Lambda. */
const ofVersion = { ...(AWS_LAMBDA_FUNCTION_NAME && version && { function: AWS_LAMBDA_FUNCTION_NAME, version }) }

/**
 * One line of JSON each: level, message, timestamp, service, sampling rate, the trace where there is one, the ids of the request and the
 * fields that the message may carry; warnings and errors on the error stream. Metrics are lines of their own in CloudWatch's embedded metric format,
 * printed as they are counted, whatever the log level: nothing waits for the end of an invocation, before which Lambda may stop it.
 * `METRICS=off` silences them. Written as Powertools for AWS Lambda writes them, whose package is a sixth of a cold start.
 */
export const logger: Logger = {
  info: (...entry) => write('info', entry),
  warn: (...entry) => write('warn', entry),
  error: (...entry) => write('error', entry),
}

function write(level: LogLevel, [message, fields]: LogEntry): void {
  const allowed = allowedFields(message, fields)
  const now = new Date()
  // One write per stream and message: a write waits until the reader has it.
  const printed = { stdout: '', stderr: '' }
  if (severities[levels[level]] >= severities[LOG_LEVEL]) {
    const line = { level: levels[level], message, timestamp: now.toISOString(), service, sampling_rate: 0 }
    const fields = withoutEmpty({ ...line, xray_trace_id: traceId(), ...requestScope(), ...allowed })
    printed[level === 'info' ? 'stdout' : 'stderr'] += `${JSON.stringify(fields)}\n`
  }
  for (const measurement of METRICS === 'off' ? [] : measurements(message, allowed)) {
    const metric: Metric = metrics[measurement.name]
    const dimensions = metric.ofVersion ? ofVersion : measurement.dimensions
    printed.stdout += `${JSON.stringify(embeddedMetric(common, now, { ...measurement, dimensions }))}\n`
  }
  if (printed.stdout !== '') process.stdout.write(printed.stdout)
  if (printed.stderr !== '') process.stderr.write(printed.stderr)
}

/** Leaves out empty fields, so that a search for a field finds a value. */
function withoutEmpty(line: Record<string, unknown>): object {
  for (const name of Object.keys(line)) if (line[name] === '') line[name] = undefined
  return line
}
