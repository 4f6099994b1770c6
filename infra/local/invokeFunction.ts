import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEventV2, Context, ScheduledEvent } from 'aws-lambda'
import * as z from 'zod'
import { rateLimitVariable } from '../data/rateLimits.ts'
import type { FunctionRow } from '../manifest.ts'
import { setEnvironment } from './functionEnvironment.ts'
import { currentVersion } from './sourceReload.ts'

/** A request, an event of a schedule, records of the stream, the check of a release, or an operator's invocation. */
export type LambdaEvent =
  | APIGatewayProxyEventV2
  | ScheduledEvent
  | { readonly Records: readonly object[] }
  | { readonly release_check: true }
  | { readonly dry_run: boolean; readonly adopt_only?: boolean; readonly begin?: boolean }

type Handler = (event: LambdaEvent, context: Context) => Promise<unknown>

const handlerModule = z.object({ handler: z.custom<Handler>((value) => typeof value === 'function') })

/** The function that runs the current asynchronous call, cold start included: all functions share this process. */
export const runningFunction = new AsyncLocalStorage<FunctionRow>()

/**
 * Runs a function in this process like Lambda. Imports `functions/<name>/handler.ts` at its first call and keeps it; if the stack watches
 * sources, until a source changes. The context counts down the row's timeout.
 * @throws what the handler throws, or an Error when the timeout passes first
 */
export function invokeFunction(row: FunctionRow, event: LambdaEvent): Promise<unknown> {
  return runningFunction.run(row, () => invoke(row, event))
}

let lastStart: Promise<unknown> = Promise.resolve()

/** Starts functions in turn: all share an environment, from which a function reads its own variables when it starts. */
function start(row: FunctionRow): Promise<Handler> {
  const starting = lastStart.then(() => load(row))
  lastStart = starting.catch(() => {})
  return starting
}

async function load(row: FunctionRow): Promise<Handler> {
  const limit = rateLimitVariable(row)
  const own = setEnvironment(limit === undefined ? {} : { RATE_LIMIT: limit })
  try {
    const url = new URL(`../../functions/${row.name}/handler.ts`, import.meta.url)
    return handlerModule.parse(await import(currentVersion(url.href))).handler
  } finally {
    await own.close()
  }
}

async function invoke(row: FunctionRow, event: LambdaEvent): Promise<unknown> {
  const handler = await start(row)
  const context = lambdaContext(row, 'requestContext' in event ? event.requestContext.requestId : randomUUID())
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timeout = () => reject(new Error(`${row.name} timed out after ${row.timeoutSeconds} seconds`))
  const timer = setTimeout(timeout, row.timeoutSeconds * 1000)
  try {
    return await Promise.race([handler(event, context), timedOut])
  } finally {
    clearTimeout(timer)
  }
}

function lambdaContext(row: FunctionRow, awsRequestId: string): Context {
  const deadline = performance.now() + row.timeoutSeconds * 1000
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: row.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${row.name}`,
    memoryLimitInMB: String(row.memoryMb),
    awsRequestId,
    logGroupName: `/aws/lambda/${row.name}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(deadline - performance.now())),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  }
}
