import { randomBytes } from 'node:crypto'
import { field } from './field.ts'

/** Errors of AWS's services that mean too many requests, and are answered with 400. */
const THROTTLES = /Thrott|ThroughputExceeded|TooManyRequests|RequestLimitExceeded/

/**
 * What a document says of a call that was answered with an error or not at all: `error` for 4xx, `fault` for 5xx and for no answer, `throttle`
 * beside them for too many requests. Of the error it has its name or code; its message may hold what someone entered.
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html#api-segmentdocuments-errors
 */
export function failureMembers(status: number | undefined, error?: unknown): object {
  if (error === undefined && status !== undefined && status < 400) return {}
  const id = randomBytes(8).toString('hex')
  return {
    ...(status !== undefined && status < 500 ? { error: true } : { fault: true }),
    ...((status === 429 || isThrottled(error)) && { throttle: true }),
    ...(error !== undefined && {
      cause: { exceptions: [{ id, type: typeOf(error), remote: status !== undefined }] },
    }),
  }
}

function isThrottled(error: unknown): boolean {
  const reasons = field(error, 'CancellationReasons')
  const codes = Array.isArray(reasons) ? reasons.map((reason) => field(reason, 'Code')) : []
  return [field(error, 'name'), ...codes].some((name) => typeof name === 'string' && THROTTLES.test(name))
}

/** The name of an error's class, or its code where the class says nothing. */
function typeOf(error: unknown): string {
  const [name, code, ofCause] = [field(error, 'name'), field(error, 'code'), field(field(error, 'cause'), 'code')]
  const known = [name === 'Error' ? undefined : name, code, ofCause].find(
    (one): one is string => typeof one === 'string' && /^\w{1,60}$/.test(one),
  )
  return known ?? 'Error'
}
