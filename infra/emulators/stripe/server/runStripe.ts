import { anyVersion } from '../wire/apiVersions.ts'
import { apiVersion } from '../wire/wire.ts'
import { openEmulatorStorage } from './emulatorStorage.ts'
import { OptionError, type RunOptions, readRunOptions, usage } from './runOptions.ts'
import { type StripeServer, startStripeServer } from './startStripeServer.ts'

/** `npm run stripe`: runs the emulator by itself until SIGINT or SIGTERM. */
async function main(): Promise<void> {
  const options = readRunOptions(process.argv.slice(2))
  if (options === undefined) {
    console.log(usage)
    return
  }
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    // npm forwards a signal to its shell only, and the shell ends without forwarding it: notice that the parent has ended.
    const parent = process.ppid
    if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && resolve(), 250)
  })
  const storage = options.dataDir === undefined ? undefined : await openEmulatorStorage(options.dataDir)
  const server = await startStripeServer({
    port: options.port,
    secretKey: options.secretKeys,
    publishableKey: options.publishableKeys,
    settings: { apiVersions: options.apiVersions },
    snapshot: storage?.snapshot,
    changes: storage?.changes,
    storage,
  })
  storage?.startWith(() => server.core.snapshot())
  // SDKs refuse events of another release, so that the endpoints have the version that the SDK was said to have.
  const version = options.apiVersions.find((named) => named !== anyVersion)
  for (const webhook of options.webhooks)
    server.core.registerWebhookEndpoint({ ...webhook, ...(version !== undefined && { apiVersion: version }) })
  console.log(banner(server, options))
  await stopped
  await server.close()
  await storage?.close()
}

/** What to use, in a few lines. */
function banner({ apiBase }: StripeServer, { secretKeys, publishableKeys, webhooks, dataDir }: RunOptions): string {
  const lines = [
    ['API', `${apiBase}/v1`],
    ['secret key', secretKeys[0]],
    ['page', `${apiBase}/_emulator/`],
    ['Stripe.js', `${apiBase}/v3/ with ${publishableKeys[0]}`],
    ...webhooks.map(({ url }) => ['webhook', url]),
    ['data', dataDir ?? 'in memory'],
  ]
  const text = lines.map(([name = '', value]) => `  ${name.padEnd(12)}${value}`).join('\n')
  return `The Stripe emulator runs, API version ${apiVersion}:\n${text}`
}

/** A single line without a stack trace: if the start fails, the machine or the options are the cause. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  const port = 'port' in error ? error.port : ''
  if (code === 'EADDRINUSE')
    return `port ${port} is in use: stop the process that listens there, or choose another --port`
  if (code === 'EACCES' && port !== '') return `port ${port} is not allowed: choose a --port above 1023`
  return error.message
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`The Stripe emulator did not start: ${explain(error)}`)
    process.exit(error instanceof OptionError ? 2 : 1)
  },
)
