import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from '../../listenOnLoopback.ts'
import { median } from '../coldStart.ts'
import type { Outcome, RecordedCall } from './messages.ts'
import type { WarmBench } from './openBench.ts'
import { type WarmOperation, warmOperations } from './operations.ts'
import type { WarmFigures } from './warmFigures.ts'
import { startWarmProcess, type WarmProcess, type WarmProcessOptions } from './warmProcess.ts'

/** How much is measured. */
interface Extent {
  /** Blocks of the function and of its floor, in turns. */
  readonly rounds: number
  /** Calls in each block. */
  readonly calls: number
  /** How many calls are in flight. */
  readonly inFlights: readonly number[]
  /** The folder for the process's profile. If it is set, only the function runs, without its floor. */
  readonly profileFolder?: string | undefined
}

/** Calls of the function and of its floor before either is measured. */
const WARM_UP = 256

/**
 * Starts the operation's function in a process of its own, and measures it under each load.
 * @throws Error if there is no operation of this name
 */
export async function measureOperation(bench: WarmBench, name: string, extent: Extent): Promise<WarmFigures[]> {
  const operation = warmOperations[name]
  if (operation === undefined) throw new Error(`No operation ${name}: ${Object.keys(warmOperations).join(', ')}`)
  const process = bench.process(operation.functionName)
  const events = await operation.open(bench.client)
  const calls = await recordedCalls(operation, process, events)
  const { profileFolder } = extent
  const warm = await startWarmProcess({ ...process, profileFolder })
  try {
    await served(operation, warm, await events(WARM_UP), 16)
    if (profileFolder === undefined) await warm.run({ run: 'floor', inFlight: 16, times: WARM_UP, calls })
    const figures: WarmFigures[] = []
    for (const inFlight of extent.inFlights) {
      figures.push({
        name,
        calls: calls.length,
        inFlight,
        ...(await measureLoad({ operation, warm, events, calls }, inFlight, extent)),
      })
    }
    return figures
  } finally {
    await warm.close()
  }
}

/** The calls that a warm function makes to its neighbors for an event. */
async function recordedCalls(
  operation: WarmOperation,
  process: WarmProcessOptions,
  events: (count: number) => Promise<unknown[]>,
): Promise<RecordedCall[]> {
  const { AWS_ENDPOINT_URL_DYNAMODB = '', AWS_ENDPOINT_URL_KMS = '', STRIPE_API_BASE = '' } = process.environment
  const recorder = await startCallRecorder({ AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_KMS, STRIPE_API_BASE })
  const environment = { ...process.environment, ...recorder.environment }
  const recorded = await startWarmProcess({ ...process, environment })
  try {
    await served(operation, recorded, await events(2), 1)
    recorder.take()
    await served(operation, recorded, await events(1), 1)
    return recorder.take()
  } finally {
    await recorded.close()
    await recorder.close()
  }
}

interface Load {
  readonly operation: WarmOperation
  readonly warm: WarmProcess
  readonly events: (count: number) => Promise<unknown[]>
  readonly calls: RecordedCall[]
}

/** Blocks of the function and of its floor take turns, so that other load on the machine affects both. */
async function measureLoad({ operation, warm, events, calls }: Load, inFlight: number, extent: Extent) {
  const ratios: number[] = []
  const [own, floors, latencies]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < extent.rounds; round++) {
    const block = await served(operation, warm, await events(extent.calls), inFlight)
    own.push(block.processorTime / extent.calls)
    latencies.push(...block.latencies)
    if (extent.profileFolder !== undefined) continue
    const floor = await warm.run({ run: 'floor', inFlight, times: extent.calls, calls })
    floors.push(floor.processorTime / extent.calls)
    ratios.push(block.processorTime / floor.processorTime)
  }
  return { own: median(own), floor: median(floors), ratio: median(ratios), latencies }
}

/** @throws Error if an answer has another status, so that a failure does not pass as a fast call */
async function served(
  operation: WarmOperation,
  warm: WarmProcess,
  events: unknown[],
  inFlight: number,
): Promise<Outcome> {
  const outcome = await warm.run({ run: 'function', inFlight, events })
  const other = outcome.statuses.filter((status) => status !== operation.status)
  if (other.length > 0)
    throw new Error(`${operation.functionName} answered ${[...new Set(other)].join(', ')} ${other.length} times`)
  return outcome
}

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
async function startCallRecorder(neighbors: Readonly<Record<Neighbor, string>>): Promise<CallRecorder> {
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
