import { performance } from 'node:perf_hooks'
import * as z from 'zod'
import { bareCalls } from './bareCalls.ts'
import { type Outcome, type Request, request } from './messages.ts'

type Handler = (event: unknown, context: object) => Promise<unknown>

const handlerModule = z.object({ handler: z.custom<Handler>((value) => typeof value === 'function') })
const httpAnswer = z.object({ statusCode: z.number() })

/** The measured process: a function as deployed, and the bare SDKs. Emulators run in other processes. */
async function main(): Promise<void> {
  const { handler } = handlerModule.parse(await import(process.argv[2] ?? ''))
  process.on('message', (message) => {
    answer(handler, request.parse(message)).then(
      (outcome) => process.send?.(outcome),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.send?.({ ready: true })
}

async function answer(handler: Handler, asked: Request): Promise<Outcome> {
  if (asked.run === 'floor') {
    const replay = bareCalls(asked.calls)
    return measured(
      asked.inFlight,
      Array.from({ length: asked.times }, () => replay),
    )
  }
  const answers: unknown[] = []
  const calls = asked.events.map((event) => async () => {
    answers.push(await handler(event, context))
  })
  const outcome = await measured(asked.inFlight, calls)
  return { ...outcome, statuses: answers.map((one) => httpAnswer.parse(one).statusCode) }
}

/** Runs all calls, `inFlight` at any time. */
async function measured(inFlight: number, calls: readonly (() => Promise<unknown>)[]): Promise<Outcome> {
  const latencies: number[] = []
  const left = calls.values()
  const before = process.cpuUsage()
  const lane = async () => {
    for (const call of left) {
      const began = performance.now()
      await call()
      latencies.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  const { user, system } = process.cpuUsage(before)
  return { processorTime: (user + system) / 1000, latencies, statuses: [] }
}

const context = {
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  functionName: 'local',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:local',
  memoryLimitInMB: '512',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => 25_000,
}

await main()
