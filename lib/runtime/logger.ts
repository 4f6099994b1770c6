import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger'
import { Metrics } from '@aws-lambda-powertools/metrics'
import { requestScope } from '../http/requestScope.ts'
import { allowedFields, measurements } from '../log/logEntry.ts'
import type { LogEntry, Logger } from '../log/logger.ts'
import type { LogLevel } from '../log/logMessage.ts'
import { environment, readEnvironment } from './environment.ts'

const serviceName = 'console-backend'
const lines = new PowertoolsLogger({ serviceName })
const { STAGE: stage } = readEnvironment(environment.pick({ STAGE: true }))
// A metric is printed as it is counted: nothing waits for the end of an invocation, before which Lambda may stop it.
const metrics = new Metrics({ namespace: 'ConsoleBackend', serviceName, singleMetric: true })

/**
 * One line of JSON each: level, message, timestamp, service, sampling rate, the ids of the request and the fields that the
 * message may carry. Metrics are lines of their own in CloudWatch's embedded metric format, whatever the log level;
 * `POWERTOOLS_METRICS_DISABLED` silences them.
 */
export const logger: Logger = {
  info: (...entry) => write('info', entry),
  warn: (...entry) => write('warn', entry),
  error: (...entry) => write('error', entry),
}

function write(level: LogLevel, [message, fields]: LogEntry): void {
  const allowed = allowedFields(message, fields)
  lines[level](message, { ...requestScope(), ...allowed })
  for (const { name, unit, value, dimensions } of measurements(message, allowed)) {
    metrics.addDimensions({ ...dimensions, ...(stage && { stage }) }).addMetric(name, unit, value)
  }
}
