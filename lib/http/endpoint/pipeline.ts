import middy from '@middy/core'
import type { Clock } from '../../core/clock.ts'
import { CommonError } from '../../core/errors.ts'
import type { RateLimit } from '../../core/rateLimits.ts'
import type { Answer } from '../answer/answer.ts'
import { answerErrors, errorAnswer } from '../answer/answerErrors.ts'
import { deprecationHeaders } from '../answer/deprecation.ts'
import type { Deprecation, HttpDeps, HttpEvent, HttpHandler, HttpResult, Reader } from '../contract.ts'
import { RequestError } from '../errors.ts'
import { clientNetwork, isOfEdge } from '../security/clientNetwork.ts'
import { type CrossOriginReaders, withCors } from '../security/cors.ts'
import { rateLimit, showBudget } from '../security/rateLimit.ts'
import { isReleaseCheck, runChecks } from './releaseCheck.ts'
import { fromOriginOf } from './requestOrigin.ts'
import { withRequestScope } from './requestScope.ts'

/** The steps of a kind of endpoint. */
export interface PipelineSteps {
  /** Which pages of other origins may read the answers, errors included; none if omitted. */
  readonly readers?: CrossOriginReaders
  /** Reads what names the principal, if that must come first: the access token, or the client in a body. */
  readonly identify?: readonly Reader[]
  /** The principal that the request counts for; undefined if the request is refused anyway and costs nothing. */
  readonly principalOf?: (event: HttpEvent) => string | undefined
  /** The limit of the principal if it is not the function's. */
  readonly limitOf?: (event: HttpEvent) => RateLimit | undefined
  readonly read?: readonly Reader[]
  /** If the operation is going to be removed. */
  readonly deprecated?: Deprecation | undefined
  readonly handle: (event: HttpEvent) => Promise<HttpResult>
  /** The endpoint's own error body, if it has one. */
  readonly answerTo?: (error: unknown, event: HttpEvent) => Answer
  /** Writes an error; as JSON if omitted. */
  readonly writeError?: (answer: Answer, event: HttpEvent, error: unknown) => HttpResult
}

/**
 * The Lambda handler of every endpoint, and the order of its steps: the clock, the source IP, the principal, 429, what else is read, then
 * `handle`. For a GET the call behind 429 takes place beside `handle`, unless it `isCountedFirst`. Whatever any step throws is logged and answered: from the
 * table of `errorAnswers.ts`, what is not in it as 500, and 503 shortly before Lambda would stop the function. CORS is decided beside all of it.
 */
export function pipeline(
  deps: Pick<HttpDeps, 'clock' | 'logger' | 'rateLimit' | 'isCountedFirst' | 'edgeKey' | 'edgeOnly'>,
  {
    readers,
    identify = [],
    principalOf = () => undefined,
    limitOf,
    read = [],
    deprecated,
    handle,
    answerTo = errorAnswer,
    writeError,
  }: PipelineSteps,
): HttpHandler {
  const handler = middy<HttpEvent, HttpResult>(timeoutOptions)
    .use(deprecated ? announceEnd(deprecated) : [])
    .use(showBudget)
    .use(answerErrors(deps.logger, answerTo, writeError))
    .use(checkBeforeTraffic)
    .use(syncClock(deps.clock))
    .use(findSourceIp(deps))
    .use([...identify])
    .use(rateLimit(deps, principalOf, limitOf))
    .use([...read])
    .handler((event) => fromOriginOf(event, deps.edgeKey, () => handle(event)))
  return withRequestScope(withCors(readers, handler))
}

const timeoutOptions = {
  timeoutEarlyInMillis: 200,
  timeoutEarlyResponse: () => {
    throw new CommonError('service_unavailable', { message: 'out of time' })
  },
}

/** Middleware: says with every answer that the operation is going to be removed. */
function announceEnd(deprecated: Deprecation): Reader {
  const headers = deprecationHeaders(deprecated)
  const add: Reader['after'] = ({ response }) => {
    if (response) response.headers = { ...response.headers, ...headers }
  }
  return { after: add, onError: add }
}

/** Middleware: makes `sourceIp` the network of the client, whatever is in between. If only CloudFront may call the API, refuses everyone else. */
function findSourceIp({ edgeKey, edgeOnly }: Pick<HttpDeps, 'edgeKey' | 'edgeOnly'>): Reader {
  return {
    before({ event }) {
      if (edgeOnly && !isOfEdge(event, edgeKey)) throw new RequestError('not_found', { message: 'not by CloudFront' })
      const sourceIp = clientNetwork(event, edgeKey)
      const { http } = event.requestContext
      event.requestContext = { ...event.requestContext, http: { ...http, sourceIp } }
    },
  }
}

/** Middleware: before a version gets traffic, also does what the function's parts ask for. If that fails, the answer is 5xx. */
const checkBeforeTraffic: Reader = {
  async before({ event }) {
    if (isReleaseCheck(event)) await runChecks()
  },
}

/** Middleware: asks the clock for the time once, before any decision depends on it. */
function syncClock(clock: Clock): Reader {
  return {
    async before() {
      await clock.sync()
    },
  }
}
