import { parseArgs } from 'node:util'
import { banner } from './banner.ts'
import { startStack } from './stack.ts'

/** `npm start [-- --data DIR] [--port N]`: runs the local stack until SIGINT or SIGTERM. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, port: { type: 'string' } } })
  const port = portOf(values.port ?? (process.env.PORT || '3000'))
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    if (process.env.npm_lifecycle_event) whenOrphaned(resolve)
  })
  const started = performance.now()
  const stack = await startStack({ port, ...(values.data !== undefined && { dataDir: values.data }) })
  console.log(banner(stack.info, performance.now() - started))
  await stopped
  await stack.close()
}

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
    return `port ${error.port} is in use: stop the process that listens there, or start with --port N`
  }
  return error.message
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`The local stack did not start: ${explain(error)}`)
    process.exit(1)
  },
)
