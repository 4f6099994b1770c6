import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { type AwsCalls, type Carrier, createCallControl } from './awsCalls.ts'

const isPerConnection = (name: string) => /^(connection|keep-alive|transfer-encoding|content-length)$/i.test(name)

/** Headers as they came, in order, without those that belong to one connection or frame its messages. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, position) => !isPerConnection(rawHeaders[position - (position % 2)] ?? ''))
}

interface HttpAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: string[]
  readonly bytes: Buffer
}

/** Sends the request on and returns the whole answer. Rejects when the target breaks the connection. */
async function forward(target: URL, agent: Agent, incoming: IncomingMessage, body: string): Promise<HttpAnswer> {
  const outgoing = httpRequest({
    agent,
    hostname: target.hostname,
    port: target.port,
    method: incoming.method ?? 'POST',
    path: incoming.url ?? '/',
    headers: [...endToEnd(incoming.rawHeaders), 'content-length', `${Buffer.byteLength(body)}`],
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

/**
 * Starts a proxy on a free port of 127.0.0.1 that forwards every request and answer byte for byte. It does over HTTP what
 * `interceptAwsCalls` does in this process, and shows that an SDK takes both alike.
 */
export async function startDynamoDbProxy(targetEndpoint: string): Promise<AwsCalls> {
  const target = new URL(targetEndpoint)
  const agent = new Agent({ keepAlive: true })
  const { pass, ...control } = createCallControl()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const operation = request.headers['x-amz-target']?.toString()
    const carrier: Carrier<HttpAnswer> = {
      forward: () => forward(target, agent, request, body),
      read: async ({ status, bytes }) => ({ status, body: bytes.toString() }),
      make(status, json) {
        const bytes = Buffer.from(json)
        const headers = ['content-type', 'application/x-amz-json-1.0', 'content-length', `${bytes.length}`]
        return { status, headers, bytes }
      },
    }
    const answer = await pass({ functionName: undefined, target: operation, body }, carrier)
    if (answer === undefined) request.socket.destroy()
    else response.writeHead(answer.status, answer.headers).end(answer.bytes)
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
    ...control,
    endpoint: `http://127.0.0.1:${address.port}`,
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
