import { parseArgs } from 'node:util'
import { banner } from './banner.ts'
import { startStack } from './stack.ts'
import { usage, usageLine } from './usage.ts'

/** `npm start [-- --port N] [--data DIR] [--help]`: runs the local stack until SIGINT or SIGTERM. Returns the exit code. */
async function main(): Promise<number> {
  const values = readOptions()
  if (values.help) {
    console.log(usage())
    return 0
  }
  const stopped = new Promise<undefined>((resolve) => {
    const stop = () => resolve(undefined)
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    if (process.env.npm_lifecycle_event) whenOrphaned(stop)
  })
  const started = performance.now()
  const stack = await startStack({
    port: values.port,
    reload: true,
    ...(values.data !== undefined && { dataDir: values.data }),
  })
  console.log(banner(stack.info, performance.now() - started))
  const failure = await Promise.race([stopped, stack.failed])
  await stack.close()
  if (failure === undefined) return 0
  console.error(`The local stack has stopped: ${failure.message}. Start it again.`)
  return 1
}

/** Reads the arguments. Throws UsageError for one that is not known, and for a port that is none. */
function readOptions(): { port: number; data: string | undefined; help: boolean } {
  try {
    const { values } = parseArgs({
      options: { data: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean', default: false } },
    })
    return { port: portOf(values.port ?? (process.env.PORT || '3000')), data: values.data, help: values.help }
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error))
  }
}

class UsageError extends Error {}

/** npm forwards a signal to its shell only, and the shell ends without forwarding it: a changed parent is the only sign. */
function whenOrphaned(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 250)
}

function portOf(text: string): number {
  const port = Number(text)
  if (text.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`not a port: ${text}`)
  return port
}

/** One line without a stack trace: a failed start is caused by the machine or the options. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
    return `port ${error.port} is in use: stop the process that listens there, or take another: npm start -- --port N`
  }
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message || cause.name})` : error.message
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof UsageError) console.error(`${error.message}\nUsage: ${usageLine}`)
    else console.error(`The local stack did not start: ${explain(error)}`)
    process.exit(1)
  },
)
