import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import type { Closable } from '../resourceScope.ts'
import type { StreamRecord } from './streamReader.ts'

/** As `infra/aws/constructs/functions/StreamRuns.ts` sets them on AWS. */
const BATCH_SIZE = 100
const LANES = 10
const RETRIES = 5

interface BatchOptions {
  /** Calls the function. What it throws fails the batch. */
  readonly run: (records: readonly StreamRecord[]) => Promise<unknown>
  /** Called with a batch that is not tried again. */
  readonly gaveUp: (records: readonly StreamRecord[], error: unknown) => void
  /** Milliseconds before a batch is tried again; doubled each time. Defaults to 1000. */
  readonly pause?: number
}

/** Batches of a function. `close` ends when the running batches have ended, and gives up what waits. */
export interface StreamBatches extends Closable {
  add(records: readonly StreamRecord[]): void
  /** How many records are not done. */
  count(): number
}

const report = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) })

interface Lane {
  waiting: StreamRecord[]
  running: number
  work: Promise<void> | undefined
}

/**
 * Runs a function with records as Lambda does for a stream: up to ten batches at a time, records of a partition in order. A batch begins again
 * at the first record that the function reports as failed. A batch that fails as a whole is halved, and a single record is tried six times.
 * Source: AWS, "Configuring partial batch response with DynamoDB and Lambda".
 */
export function createStreamBatches({ run, gaveUp, pause = 1000 }: BatchOptions): StreamBatches {
  const lanes = Array.from({ length: LANES }, (): Lane => ({ waiting: [], running: 0, work: undefined }))
  const closing = new AbortController()

  async function work(lane: Lane): Promise<void> {
    while (lane.waiting.length > 0 && !closing.signal.aborted) {
      const batch = lane.waiting.splice(0, BATCH_SIZE)
      lane.running = batch.length
      await runBatch(batch, 0)
      lane.running = 0
    }
    lane.work = undefined
  }

  async function runBatch(batch: readonly StreamRecord[], tries: number): Promise<void> {
    const { kind, left, error } = await attempt(batch)
    if (left.length === 0) return
    if (kind === 'failed' && left.length > 1) {
      // As on AWS, halving is no retry.
      const half = Math.ceil(left.length / 2)
      await runBatch(left.slice(0, half), tries)
      await runBatch(left.slice(half), tries)
      return
    }
    if (tries === RETRIES || closing.signal.aborted) return gaveUp(left, error)
    await delay(pause * 2 ** tries, undefined, { signal: closing.signal }).catch(() => {})
    await runBatch(left, tries + 1)
  }

  async function attempt(batch: readonly StreamRecord[]) {
    try {
      const failures = new Set(report.parse(await run(batch)).batchItemFailures.map((each) => each.itemIdentifier))
      const first = batch.findIndex(({ dynamodb }) => failures.has(dynamodb.SequenceNumber ?? ''))
      const left = first === -1 ? [] : batch.slice(first)
      return { kind: 'reported', left, error: new Error(`${failures.size} records failed`) } as const
    } catch (error) {
      return { kind: 'failed', left: batch, error } as const
    }
  }

  return {
    add(records) {
      for (const record of records) laneOf(lanes, record).waiting.push(record)
      for (const lane of lanes) if (lane.waiting.length > 0) lane.work ??= work(lane)
    },
    count: () => lanes.reduce((sum, { waiting, running }) => sum + waiting.length + running, 0),
    async close() {
      closing.abort()
      await Promise.all(lanes.map((lane) => lane.work))
    },
  }
}

function laneOf(lanes: readonly Lane[], { dynamodb: { Keys } }: StreamRecord): Lane {
  const hash = Buffer.from(Keys?.pk?.S ?? '').reduce((sum, byte) => (sum * 31 + byte) >>> 0, 0)
  const lane = lanes[hash % lanes.length]
  if (lane === undefined) throw new Error('no lanes')
  return lane
}
