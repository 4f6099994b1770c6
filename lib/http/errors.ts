import { ServiceError } from '../core/errors.ts'

/** Codes of `RequestError`. */
export type RequestErrorCode = 'payload_too_large'

/** A request refused before its contents were looked at. */
export class RequestError extends ServiceError<RequestErrorCode> {}
