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

/** A URL that this service does not send requests to. The API reports it as a validation problem of `member`. */
export class RefusedUrlError extends ServiceError<'url_refused'> {
  override readonly name = 'RefusedUrlError'
  readonly fault: EndpointUrlFault | 'not_an_issuer'
  readonly member: string

  constructor(fault: RefusedUrlError['fault'], member = 'url') {
    super('url_refused')
    this.fault = fault
    this.member = member
  }
}
