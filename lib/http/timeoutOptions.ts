import { CommonError } from '../core/errors.ts'

/** Middy's options for answering 503 shortly before Lambda stops a function that takes too long. */
export const timeoutOptions = {
  timeoutEarlyInMillis: 200,
  timeoutEarlyResponse: () => {
    throw new CommonError('service_unavailable', { message: 'out of time' })
  },
}
