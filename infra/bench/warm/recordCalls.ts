import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from '../../listenOnLoopback.ts'
import type { RecordedCall } from './messages.ts'

type Neighbor = RecordedCall['neighbor']

/** Proxies in front of a function's neighbors. */
interface CallRecorder {
  /** The proxies' addresses, by the variables that name the neighbors' addresses. */
  readonly environment: Readonly<Record<Neighbor, string>>
  /** The calls since `take` was last called, in order. */
  take(): RecordedCall[]
  close(): Promise<void>
}

/** Starts a proxy in front of each neighbor. It records every call and forwards it. */
export async function startCallRecorder(neighbors: Readonly<Record<Neighbor, string>>): Promise<CallRecorder> {
  const calls: RecordedCall[] = []

  async function forward(neighbor: Neighbor, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = incoming
    const body = await text(incoming)
    const operation = String(headers['x-amz-target'] ?? '').split('.')[1] ?? ''
    const idempotencyKey = String(headers['idempotency-key'] ?? '')
    calls.push({ neighbor, method, path, operation, idempotencyKey, body })
    const { hostname, port } = new URL(neighbors[neighbor])
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => incoming.socket.destroy())
    outgoing.end(body)
  }

  const start = (neighbor: Neighbor) => {
    const server = createServer((incoming, response) => {
      forward(neighbor, incoming, response).catch(() => incoming.socket.destroy())
    })
    return listenOnLoopback(server)
  }
  const [dynamoDb, kms, stripe] = await Promise.all([
    start('AWS_ENDPOINT_URL_DYNAMODB'),
    start('AWS_ENDPOINT_URL_KMS'),
    start('STRIPE_API_BASE'),
  ])

  return {
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.url,
      AWS_ENDPOINT_URL_KMS: kms.url,
      STRIPE_API_BASE: stripe.url,
    },
    take: () => calls.splice(0),
    async close() {
      await Promise.all([dynamoDb, kms, stripe].map(({ close }) => close()))
    },
  }
}
