import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  createWireFaults,
  faultAnswer,
  operationOf,
  type WireCall,
  type WireFault,
} from '../../infra/emulators/wireFaults.ts'
import { createIndexLag } from './indexLag.ts'

/** What DynamoDB says when it refuses: `type` is the exception's name. Reasons are positional, as on the wire. */
export interface DynamoDbFault extends Omit<WireFault, 'error'> {
  readonly error?: {
    readonly type: string
    readonly message?: string
    readonly CancellationReasons?: readonly { Code: string; Message?: string; Item?: Record<string, unknown> }[]
  }
}

/** A call that reached a proxy: what its headers and body say. */
export interface AwsCall {
  /** The function that makes it, where `attributeCalls` wrote its name. */
  readonly functionName: string | undefined
  /** As in the header X-Amz-Target: `DynamoDB_20120810`, `TrentService`. */
  readonly service: string
  readonly operation: string
  readonly input: unknown
}

/** Called with every call before it is forwarded; the error that it returns is the call's answer, and nothing is done. */
export type Authorize = (call: AwsCall) => { readonly type: string; readonly message: string } | undefined

/** The header that carries a caller's name to the proxy, and no further. */
export const CALLER_HEADER = 'x-calling-function'

/** A proxy in front of an AWS JSON endpoint that counts wire calls and lets chosen ones fail. */
export interface DynamoDbProxy {
  /** `http://127.0.0.1:PORT`, to be given to an SDK as its endpoint. */
  readonly endpoint: string
  /** Every call on the wire since the start or the last reset, the SDK's own repetitions included. */
  calls(): readonly WireCall[]
  /** Forgets calls and faults not yet used up. */
  reset(): void
  /** From now on until `reset`, indexes do not have what is written: no item that a call names by its key is found by them. */
  lag(): void
  /** Orders a fault for the next matching wire calls. */
  fail(fault: DynamoDbFault): void
  /** Stops listening and cuts open connections. */
  close(): Promise<void>
}

const isPerConnection = (name: string) =>
  /^(connection|keep-alive|transfer-encoding|content-length|x-calling-function)$/i.test(name)

/** Headers as they came, in order, without those that belong to one connection or frame its messages. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, position) => !isPerConnection(rawHeaders[position - (position % 2)] ?? ''))
}

/** Sends the request on and returns the whole answer. Rejects when the target breaks the connection. */
async function forward(target: URL, agent: Agent, incoming: IncomingMessage, body: Buffer) {
  const outgoing = httpRequest({
    agent,
    hostname: target.hostname,
    port: target.port,
    method: incoming.method ?? 'POST',
    path: incoming.url ?? '/',
    headers: [...endToEnd(incoming.rawHeaders), 'content-length', `${body.length}`],
    setDefaultHeaders: false,
  })
  const answered = once(outgoing, 'response')
  outgoing.end(body)
  const [answer]: IncomingMessage[] = await answered
  if (answer === undefined) throw new Error('No answer')
  const bytes = await buffer(answer)
  const headers = [...endToEnd(answer.rawHeaders), 'content-length', `${bytes.length}`]
  return { status: answer.statusCode ?? 502, headers, bytes }
}

function awsCall({ headers }: IncomingMessage, body: Buffer): AwsCall | undefined {
  const [service, operation] = String(headers['x-amz-target'] ?? '').split('.')
  if (!service || !operation) return undefined
  const caller = headers[CALLER_HEADER]
  return { functionName: caller?.toString(), service, operation, input: JSON.parse(body.toString()) }
}

/**
 * Starts a proxy on a free port of 127.0.0.1 that forwards every request and answer byte for byte, but for what `authorize`
 * refuses.
 */
export async function startDynamoDbProxy(targetEndpoint: string, authorize?: Authorize): Promise<DynamoDbProxy> {
  const target = new URL(targetEndpoint)
  const agent = new Agent({ keepAlive: true })
  const faults = createWireFaults()
  const indexes = createIndexLag()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const operation = operationOf(request.headers['x-amz-target']) ?? `${request.method} ${request.url}`
    const fault = faults.take(operation)
    if (fault?.kind === 'drop_before') return void request.socket.destroy()
    if (fault?.kind === 'error') {
      const { status, body: json } = faultAnswer(fault)
      return void response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(json)
    }
    const call = authorize && awsCall(request, body)
    const refusal = call && authorize(call)
    if (refusal) {
      const json = JSON.stringify({ __type: refusal.type, message: refusal.message })
      return void response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(json)
    }
    indexes.note(operation, body)
    const answer = indexes.behind(operation, body, await forward(target, agent, request, body))
    if (fault?.kind === 'drop_after') return void request.socket.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.bytes)
  }

  // A connection that breaks on one side is broken on the other: a proxy has no answer of its own.
  const server = createServer(
    (request, response) => void handle(request, response).catch(() => request.socket.destroy()),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy does not listen on a port')

  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    calls: faults.calls,
    reset() {
      faults.reset()
      indexes.end()
    },
    lag: indexes.begin,
    fail: ({ error, ...fault }) => faults.fail(error === undefined ? fault : { ...fault, error: { ...error } }),
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      agent.destroy()
      await closed
    },
  }
}
