import { setTimeout as delay } from 'node:timers/promises'
import { type FunctionRow, manifest, streams } from '../../manifest.ts'
import type { RequestLog } from '../http/requestLog.ts'
import type { invokeFunction } from '../invokeFunction.ts'
import type { Closable } from '../resourceScope.ts'
import { matchesPattern } from './matchesPattern.ts'
import { createStreamBatches } from './streamBatches.ts'
import { openStream, type StreamRecord } from './streamReader.ts'

const rows: readonly FunctionRow[] = manifest

/** Lambda asks a stream four times a second. */
const POLL_MS = 250
/** While more records wait at a function, no more are read. */
const ENOUGH = 5000

interface StreamOptions {
  readonly dynamoDb: { readonly endpoint: string; readonly region: string }
  readonly table: string
  readonly log: RequestLog
  /** Runs a function. */
  readonly invoke: typeof invokeFunction
}

/** Runs functions with the stream of the table `events`, as Lambda's event source mappings do on AWS. `close` waits for what runs. */
export async function playStream({ dynamoDb, table, log, invoke }: StreamOptions): Promise<Closable> {
  const reader = await openStream(dynamoDb, table)
  const mappings = rows.flatMap((row) => {
    const { trigger } = row
    if (trigger.kind !== 'schedule' || trigger.stream === undefined) return []
    const batches = createStreamBatches({
      run: (records) => invoke(row, streamEvent(reader.arn, records)),
      gaveUp: (_, error) => log.failed('STREAM', row.name, error),
    })
    return [{ pattern: streams[trigger.stream], batches }]
  })
  const closing = new AbortController()
  const { signal } = closing

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const isFull = mappings.some(({ batches }) => batches.count() > ENOUGH)
      // If the store does not answer, the next poll asks again.
      const records = isFull ? [] : await reader.read().catch(() => [])
      for (const { pattern, batches } of mappings)
        batches.add(records.filter((record) => matchesPattern(pattern, record)))
      if (records.length === 0) await delay(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }
  const following = follow()
  return {
    async close() {
      closing.abort()
      await following
      await Promise.all(mappings.map(({ batches }) => batches.close()))
      await reader.close()
    },
  }
}

/** DynamoDB's event for a function: times in seconds. */
function streamEvent(eventSourceARN: string, records: readonly StreamRecord[]) {
  return {
    Records: records.map(({ dynamodb: { ApproximateCreationDateTime: at, ...kept }, ...record }) => ({
      ...record,
      eventSourceARN,
      dynamodb: { ...kept, ApproximateCreationDateTime: Math.floor((at?.getTime() ?? 0) / 1000) },
    })),
  }
}
