import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type DynamoDBClient, __Client as SdkClient } from '@aws-sdk/client-dynamodb'
import { asTests, awsCaller } from './awsCaller.ts'
import { type Authorize, type AwsCalls, type Carrier, createCallControl } from './awsCalls.ts'
import { openDynamoDbConnections } from './dynamoDbConnections.ts'

type SdkConfig = Pick<DynamoDBClient['config'], 'requestHandler' | 'retryStrategy' | 'signer'>
type RequestSigner = Awaited<ReturnType<SdkConfig['signer']>>
type SdkRequest = Parameters<RequestSigner['sign']>[0]

/** What the SDK's HTTP handler resolves with. */
interface SdkAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable | Uint8Array
}

type Send = (request: SdkRequest) => Promise<SdkAnswer>

/** By the host and port that the SDK calls. */
const intercepts = new Map<string, (request: SdkRequest, send: Send) => Promise<SdkAnswer>>()
const hostOf = ({ hostname, port }: Pick<SdkRequest, 'hostname' | 'port'>) => `${hostname}:${port}`

const extended = new WeakSet<object>()
const decoder = new TextDecoder()

/** As Node's HTTP client reports a connection that breaks, and as the SDK's handler names it. */
const connectionReset = () =>
  Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError', $metadata: {} })

/** The emulators want a signature, and do not verify it. To sign takes a third of a call's processor time. */
function markSigned(request: SdkRequest): SdkRequest {
  request.headers['x-amz-date'] = '20261120T080000Z'
  request.headers.authorization = `AWS4-HMAC-SHA256 Credential=local/20261120/us-east-1/any/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`
  return request
}

/** Lets the attempts of a client go through the interception of the endpoint that they are for, if there is one. */
function extend(config: SdkConfig): void {
  if (extended.has(config)) return
  extended.add(config)
  const { requestHandler, retryStrategy, signer } = config
  let isIntercepted = false

  config.signer = async (scheme) => {
    const original = await signer(scheme)
    return {
      sign: (request, options) =>
        intercepts.has(hostOf(request)) ? Promise.resolve(markSigned(request)) : original.sign(request, options),
    }
  }

  const handle: typeof requestHandler.handle = async (request, options) => {
    const send: Send = async (changed) => (await requestHandler.handle({ ...request, ...changed }, options)).response
    const intercept = intercepts.get(hostOf(request))
    if (intercept === undefined) return requestHandler.handle(request, options)
    isIntercepted = true
    return { response: await intercept(request, send) }
  }
  config.requestHandler = new Proxy(requestHandler, {
    get: (handler, name) => (name === 'handle' ? handle : Reflect.get(handler, name, handler)),
  })

  // Nothing recovers while the SDK waits, so it repeats a failed attempt at once.
  config.retryStrategy = async () => {
    const strategy = await retryStrategy()
    if (!('refreshRetryTokenForRetry' in strategy)) return strategy
    return new Proxy(strategy, {
      get(original, name) {
        if (name !== 'refreshRetryTokenForRetry') return Reflect.get(original, name, original)
        return async (...args: Parameters<typeof strategy.refreshRetryTokenForRetry>) => {
          const token = await strategy.refreshRetryTokenForRetry(...args)
          return isIntercepted ? Object.assign(token, { getRetryDelay: () => 0 }) : token
        }
      },
    })
  }
}

let isReady = false

/** Extends each client of this test file when it sends its first command. */
function extendClients(): void {
  if (isReady) return
  isReady = true
  SdkClient.prototype.send = new Proxy(SdkClient.prototype.send, {
    apply(send, client, args) {
      extend(client.config)
      return Reflect.apply(send, client, args)
    },
  })
}

/**
 * Intercepts what clients of the SDK in this process send to `endpoint` of the result, and sends it on to the target, but for what
 * `authorize` refuses. What the running function sends counts as its call. Other clients and processes reach the target through it too,
 * uncounted.
 * @param options.host another name for a second interception of a target, which is known in this process only
 */
export function interceptAwsCalls(
  targetEndpoint: string,
  { authorize, host: name = 'localhost' }: { authorize?: Authorize; host?: string } = {},
): AwsCalls {
  extendClients()
  const target = new URL(targetEndpoint)
  const host = `${name}:${target.port}`
  const { pass, ...control } = createCallControl(authorize)
  const connections = openDynamoDbConnections(target)

  /** Not as the function's: whatever a function sends to the target itself is beyond the check. */
  const forward = (request: SdkRequest, send: Send) =>
    request.headers['x-amz-target']?.startsWith('DynamoDB_')
      ? connections.send(request)
      : asTests(() => send({ ...request, hostname: target.hostname }))

  intercepts.set(host, async (request, send) => {
    const carrier: Carrier<SdkAnswer> = {
      forward: () => forward(request, send),
      async read({ statusCode, body }) {
        return { status: statusCode, body: body instanceof Uint8Array ? decoder.decode(body) : await text(body) }
      },
      make: (statusCode, json) => ({
        statusCode,
        headers: { 'content-type': 'application/x-amz-json-1.0' },
        body: Buffer.from(json),
      }),
    }
    const attempt = {
      functionName: awsCaller(),
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
      connections.close()
    },
  }
}
