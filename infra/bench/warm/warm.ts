import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { dummyCredentials, functionEnvironment } from '../../local/functionEnvironment.ts'
import { type LocalClient, localClient } from '../../local/localClient.ts'
import { readTokenPublicKey } from '../../local/openKms.ts'
import { startStack } from '../../local/stack.ts'
import { bundleFunctions } from '../bundleFunctions.ts'
import { median } from '../coldStart.ts'
import { replaceFigures } from '../figures.ts'
import type { Outcome, RecordedCall } from './messages.ts'
import { type WarmOperation, warmOperations } from './operations.ts'
import { startCallRecorder } from './recordCalls.ts'
import { renderWarmFigures, type WarmFigures } from './warmFigures.ts'
import { startWarmProcess, type WarmProcess } from './warmProcess.ts'

const document = new URL('../../decisions/warm.md', import.meta.url)
const region = 'us-east-1'
const inFlights = [1, 16, 64] as const

/** How much is measured. */
interface Extent {
  /** Blocks of the function and of its floor, in turns. */
  readonly rounds: number
  /** Calls in each block. */
  readonly calls: number
  readonly profileFolder: string | undefined
}

/**
 * `npm run bench:warm [-- --operation NAME --calls N --rounds N --dry-run --profile FOLDER]`: measures the processor time of warm
 * functions against their own calls made bare, and their latencies, and writes the table into `infra/decisions/warm.md`. Emulators run
 * outside of the process that is measured. With `--profile` the floor is left out, and the process's profile is written into the folder.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      operation: { type: 'string', multiple: true },
      calls: { type: 'string', default: '128' },
      rounds: { type: 'string', default: '7' },
      profile: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const positive = z.coerce.number().int().min(1)
  const extent = {
    calls: positive.parse(values.calls),
    rounds: positive.parse(values.rounds),
    profileFolder: values.profile,
  }
  const names = values.operation ?? Object.keys(warmOperations)
  const isWritten = !values['dry-run'] && values.operation === undefined && values.profile === undefined
  if (isWritten) replaceFigures(await readFile(document, 'utf8'), 'warm', '')

  await using cleanUp = new AsyncDisposableStack()
  const worker = { 'warm-worker': join(import.meta.dirname, 'worker.ts') }
  const bundles = cleanUp.adopt(await bundleFunctions(worker), (it) => it.close())
  const file = (name: string) => join(bundles.codeDirectory(name), 'handler.mjs')
  const { info } = cleanUp.adopt(await startStack({ quiet: true, schedules: false }), (it) => it.close())
  const client = localClient(info)
  await holdWebhooks(client)
  const environment = {
    ...functionEnvironment({
      info,
      tokenPublicKey: await readTokenPublicKey(info.kms_endpoint, region),
      clockUrl: undefined,
    }),
    ...dummyCredentials,
    AWS_REGION: region,
    // The function logs, and counts, as it does on Lambda.
    POWERTOOLS_LOG_LEVEL: 'INFO',
    POWERTOOLS_METRICS_DISABLED: 'false',
  }

  const figures: WarmFigures[] = []
  for (const name of names) {
    const operation = warmOperations[name]
    if (operation === undefined) throw new Error(`No operation ${name}: ${Object.keys(warmOperations).join(', ')}`)
    const process = { worker: file('warm-worker'), handler: file(operation.functionName), environment }
    figures.push(...(await measureOperation(client, { name, operation, process }, extent)))
    console.log(renderWarmFigures(figures.filter((one) => one.name === name)))
  }
  const { rounds, calls } = extent
  const conditions = `${rounds} blocks of ${calls} calls each in turns with their floor, Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} cores.`
  const table = `${renderWarmFigures(figures)}\n\n${conditions}`
  console.log(`\n${table}`)
  if (isWritten) await writeFile(document, replaceFigures(await readFile(document, 'utf8'), 'warm', table))
}

type ProcessOptions = Parameters<typeof startWarmProcess>[0]

async function measureOperation(
  client: LocalClient,
  { name, operation, process }: { name: string; operation: WarmOperation; process: ProcessOptions },
  extent: Extent,
): Promise<WarmFigures[]> {
  const events = await operation.open(client)
  const calls = await recordedCalls(operation, process, events)
  const { profileFolder } = extent
  const warm = await startWarmProcess({ ...process, profileFolder })
  try {
    await served(operation, warm, await events(256), 16)
    const figures: WarmFigures[] = []
    for (const inFlight of profileFolder === undefined ? inFlights : ([1] as const)) {
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

/** What one call of the function asks of its neighbors when it is warm. */
async function recordedCalls(
  operation: WarmOperation,
  process: ProcessOptions,
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

/** Blocks of the function and of its floor take turns, so that whatever else the machine does meets both. */
async function measureLoad({ operation, warm, events, calls }: Load, inFlight: number, extent: Extent) {
  const ratios: number[] = []
  const [own, floors, latencies]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < extent.rounds; round++) {
    const block = await served(operation, warm, await events(extent.calls), inFlight)
    own.push(block.processorTime / extent.calls)
    latencies.push(...block.latencies)
    if (extent.profileFolder !== undefined) continue
    if (round === 0) await warm.run({ run: 'floor', inFlight, times: extent.calls, calls })
    const floor = await warm.run({ run: 'floor', inFlight, times: extent.calls, calls })
    floors.push(floor.processorTime / extent.calls)
    ratios.push(block.processorTime / floor.processorTime)
  }
  return { own: median(own), floor: median(floors), ratio: median(ratios), latencies }
}

/** @throws Error where an answer has another status: a failure would be measured as a fast call */
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

/** The stack's own webhook would use the machine beside the measured one, and write the same slots. */
async function holdWebhooks({ info }: LocalClient): Promise<void> {
  const body = JSON.stringify({ mode: 'hold' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${info.stripe.api_base}/_emulator/webhooks`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`webhooks: ${answer.status} ${await answer.text()}`)
}

await main()
