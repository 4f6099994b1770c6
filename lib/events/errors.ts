import { ServiceError } from '../core/errors.ts'
import type { EndpointUrlFault } from './endpointUrl.ts'

export type EventErrorCode =
  | 'webhook_endpoint_not_found'
  | 'webhook_endpoint_disabled'
  | 'too_many_endpoints'
  | 'webhook_delivery_not_found'

/** A refused operation on a webhook endpoint. */
export class EventError extends ServiceError<EventErrorCode> {
  override readonly name = 'EventError'
}

/** A URL that events cannot be sent to. The API reports it as a validation problem of `url`. */
export class RefusedUrlError extends ServiceError<'url_refused'> {
  override readonly name = 'RefusedUrlError'
  readonly fault: EndpointUrlFault

  constructor(fault: EndpointUrlFault) {
    super('url_refused')
    this.fault = fault
  }
}
