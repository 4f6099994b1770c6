import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { HttpHandler } from '../contract.ts'
import { parameters } from '../request/validated.ts'

/** The request that the running code works for: its ids are on every line of its log. */
interface RequestScope {
  /** API Gateway's id, which the caller has in `x-request-id`; a UUID if it gave none; the invocation's if there was no HTTP request. */
  readonly requestId: string
  /** The invocation's id, under which Lambda reports its time and its failures. */
  readonly awsRequestId: string
  /** As the request names it, before any authorization. */
  readonly organizationId?: string | undefined
}

/** As the ids of organizations are. */
const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const scopes = new AsyncLocalStorage<RequestScope>()

/** The scope of the running code; undefined while a function starts. */
export function requestScope(): RequestScope | undefined {
  return scopes.getStore()
}

/** Runs `run`, and all that it starts, in its own scope: concurrent requests do not see each other's. */
export function inRequestScope<Result>(scope: RequestScope, run: () => Result): Result {
  return scopes.run(scope, run)
}

/** What Lambda says of an invocation to a function that is not invoked over HTTP. */
export interface InvocationContext {
  readonly awsRequestId: string
  getRemainingTimeInMillis(): number
}

/** Runs an invocation of a function that is not invoked over HTTP. */
export function inInvocation<Result>(
  { awsRequestId }: Pick<InvocationContext, 'awsRequestId'>,
  run: () => Result,
): Result {
  return inRequestScope({ requestId: awsRequestId, awsRequestId }, run)
}

/**
 * The same handler, with a scope for each request, whose id every answer carries as `x-request-id`. An event without an id, as people
 * write them by hand, gets a new id.
 */
export function withRequestScope(handler: HttpHandler): HttpHandler {
  return async (received, context) => {
    const requestId = received.requestContext.requestId || randomUUID()
    const event = { ...received, requestContext: { ...received.requestContext, requestId } }
    const named = event.pathParameters?.organization_id ?? parameters(event.rawQueryString).organization_id
    const organizationId = named !== undefined && isUuid.test(named) ? named.toLowerCase() : undefined
    const answer = await inRequestScope({ requestId, awsRequestId: context.awsRequestId, organizationId }, () =>
      handler(event, context),
    )
    return { ...answer, headers: { ...answer.headers, 'x-request-id': requestId } }
  }
}

/** Runs `run` as part of the same request, for an organization that its query did not name. */
export function forOrganization<Result>(organizationId: string | undefined, run: () => Result): Result {
  const scope = requestScope()
  return scope === undefined ? run() : inRequestScope({ ...scope, organizationId }, run)
}
