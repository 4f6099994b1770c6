import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger'
import type { Logger } from '../core/logger.ts'

const powertools = new PowertoolsLogger({ serviceName: 'console-backend' })

/** One line of JSON each: level, message, timestamp, service, sampling rate and the fields given, nothing of the request. */
export const logger: Logger = {
  info: (message, fields = {}) => powertools.info(message, fields),
  warn: (message, fields = {}) => powertools.warn(message, fields),
  error: (message, fields = {}) => powertools.error(message, fields),
}
