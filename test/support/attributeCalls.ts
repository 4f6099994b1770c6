import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ClientRequest } from 'node:http'
import * as z from 'zod'
import { runningFunction } from '../../infra/local/invokeFunction.ts'
import { CALLER_HEADER } from './dynamodbProxy.ts'

const CREATED = 'http.client.request.created'
const message = z.looseObject({ request: z.instanceof(ClientRequest) })

/**
 * Writes the name of the running function on every AWS call that leaves this process. Node announces a request in the context
 * that makes it, so the running function is its caller, in a cold start as well.
 * @param onCall called with the function and the `host:port` that its call goes to
 * @returns stops it
 */
export function attributeCalls(onCall: (functionName: string, host: string) => void): () => void {
  function attribute(created: unknown): void {
    const { request } = message.parse(created)
    const row = runningFunction.getStore()
    if (row === undefined || !request.hasHeader('x-amz-target')) return
    request.setHeader(CALLER_HEADER, row.name)
    onCall(row.name, String(request.getHeader('host')))
  }
  subscribe(CREATED, attribute)
  return () => void unsubscribe(CREATED, attribute)
}
