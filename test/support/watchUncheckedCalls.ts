import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ClientRequest } from 'node:http'
import * as z from 'zod'
import { awsCaller } from './aws/awsCaller.ts'

const CREATED = 'http.client.request.created'
const message = z.looseObject({ request: z.instanceof(ClientRequest) })

/**
 * Reports every AWS call of a function that leaves this process: `interceptAwsCalls` sends on what it has checked in no function's name.
 * Node announces a request in the context that makes it, so the running function is its caller, in a cold start as well.
 * @param onCall called with the function and the `host:port` that its call goes to
 * @returns stops it
 */
export function watchUncheckedCalls(onCall: (functionName: string, host: string) => void): () => void {
  function report(created: unknown): void {
    const caller = awsCaller()
    if (caller === undefined) return
    const { request } = message.parse(created)
    if (request.hasHeader('x-amz-target')) onCall(caller, String(request.getHeader('host')))
  }
  subscribe(CREATED, report)
  return () => void unsubscribe(CREATED, report)
}
