import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { __Client as Client } from '@aws-sdk/client-dynamodb'
import { runningFunction } from '../../infra/local/invokeFunction.ts'
import { type Authorize, type AwsCalls, type Carrier, createCallControl } from './awsCalls.ts'

/** What the SDK sends, signed. */
interface SdkRequest {
  readonly hostname: string
  readonly port?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** What the SDK's HTTP handler resolves with. */
interface SdkAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable | Uint8Array
}

type Intercept = (request: SdkRequest, send: (request: SdkRequest) => Promise<SdkAnswer>) => Promise<SdkAnswer>

/** By the host and port that the SDK calls. */
const intercepts = new Map<string, Intercept>()
const extended = new WeakSet<object>()
const decoder = new TextDecoder()

/** As Node's HTTP client reports a connection that breaks, and as the SDK's handler names it. */
const connectionReset = () =>
  Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError', $metadata: {} })

/** Adds a middleware to a client, next to the handler that opens the connection: it sees every attempt. */
function extend({ middlewareStack }: Client<never, never, never, never>): void {
  if (extended.has(middlewareStack)) return
  extended.add(middlewareStack)
  middlewareStack.add(
    (next) => async (args) => {
      const request = args.request as SdkRequest
      const intercept = intercepts.get(`${request.hostname}:${request.port}`)
      if (intercept === undefined) return next(args)
      const send = async (changed: SdkRequest) => (await next({ ...args, request: changed })).response as SdkAnswer
      return { response: await intercept(request, send) }
    },
    { step: 'deserialize', priority: 'low', name: 'interceptAwsCalls' },
  )
}

/** Extends each client of this test file when it sends its first command. */
let isReady = false
function extendClients(): void {
  if (isReady) return
  isReady = true
  Client.prototype.send = new Proxy(Client.prototype.send, {
    apply(send, client, args) {
      extend(client)
      return Reflect.apply(send, client, args)
    },
  })
}

/**
 * Intercepts what clients of the SDK in this process send to `endpoint` of the result, and sends it on to the target, but for what
 * `authorize` refuses. What the running function sends counts as its call. Other clients and processes reach the target through it too,
 * uncounted.
 */
export function interceptAwsCalls(targetEndpoint: string, authorize?: Authorize): AwsCalls {
  extendClients()
  const { hostname, port } = new URL(targetEndpoint)
  const host = `localhost:${port}`
  const { pass, ...control } = createCallControl(authorize)

  intercepts.set(host, async (request, send) => {
    const carrier: Carrier<SdkAnswer> = {
      // Not as the function's: whatever a function sends to the target itself is beyond the check.
      forward: () => runningFunction.exit(() => send({ ...request, hostname })),
      async read({ statusCode, body }) {
        return { status: statusCode, body: body instanceof Uint8Array ? body.toString() : await text(body) }
      },
      make: (statusCode, json) => ({
        statusCode,
        headers: { 'content-type': 'application/x-amz-json-1.0' },
        body: Buffer.from(json),
      }),
    }
    const attempt = {
      functionName: runningFunction.getStore()?.name,
      target: request.headers['x-amz-target'],
      body: typeof request.body === 'string' ? request.body : decoder.decode(request.body),
    }
    const answer = await pass(attempt, carrier)
    if (answer === undefined) throw connectionReset()
    return answer
  })

  return {
    ...control,
    endpoint: `http://${host}`,
    async close() {
      intercepts.delete(host)
    },
  }
}
