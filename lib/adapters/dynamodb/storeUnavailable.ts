import { CommonError } from '../../core/errors.ts'

/**
 * Whatever the store could not do, as the one error that callers answer with 503. Conditions that failed are outcomes and
 * are handled before this; what remains is throttling past the retries, a timeout, or a fault of ours.
 */
export function storeUnavailable(cause: unknown): CommonError {
  const message = cause instanceof Error ? `DynamoDB: ${cause.name}` : 'DynamoDB: unknown failure'
  return new CommonError('service_unavailable', { message, cause })
}
