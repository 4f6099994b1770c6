import { parseArgs, styleText } from 'node:util'
import { refuseNpmOptions } from '../refuseNpmOptions.ts'
import type { LocalInfo } from './info.ts'
import { STRIPE_ITSELF, settingVariables } from './settings.ts'

const options = [
  ['--port N', 'the port of the API, 3000 by default; 0 takes a free one, as every other port is'],
  ['--data DIR', 'keeps accounts, purchases and the gateway’s state in this folder; in memory by default'],
  [
    '--bundles',
    'serves requests by the bundles that are deployed, each in a process of its own; changes need a restart',
  ],
  ['--help', 'prints this'],
] as const

const ownVariables = [['PORT', 'as --port']] as const

const usageLine = 'npm start -- [--port N] [--data DIR] [--bundles] [--help]'

/** What `npm start -- --help` prints. */
function usage(): string {
  return [
    `Usage: ${usageLine}`,
    '',
    'Runs the whole service on this machine until Ctrl+C: the API, its tables, keys and mailbox, and an emulator of Stripe.',
    'A change to a file of functions/ or lib/ is served from the next request on.',
    '',
    'Options:',
    ...rows(options),
    '',
    'Environment variables:',
    ...rows([...ownVariables, ...settingVariables]),
  ].join('\n')
}

function rows(entries: readonly (readonly [name: string, description: string])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`)
}

/** `npm start [-- --port N] [--data DIR] [--bundles] [--help]`: runs the local stack until SIGINT, SIGTERM or SIGHUP. Returns the exit code. */
async function main(): Promise<number> {
  const values = readOptions()
  if (values.help) {
    console.log(usage())
    return 0
  }
  const stopped = new Promise<undefined>((resolve) => {
    const stop = () => resolve(undefined)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop)
    if (process.env.npm_lifecycle_event) whenOrphaned(stop)
  })
  // Takes half a second, which help and a wrong option need not wait for.
  const { startStack } = await import('./stack.ts')
  const started = performance.now()
  const stack = await startStack({
    port: values.port,
    reload: !values.bundles,
    bundles: values.bundles,
    events: true,
    env: { COMPANY_SIGN_IN: process.env.COMPANY_SIGN_IN || 'on' },
    ...(values.data !== undefined && { dataDir: values.data }),
  })
  console.log(banner(stack.info, performance.now() - started, values.bundles))
  const failure = await Promise.race([stopped, stack.failed])
  await stack.close()
  if (failure === undefined) return 0
  console.error(`The local stack has stopped: ${failure.message}. Start it again.`)
  return 1
}

/** @throws UsageError if an argument is unknown or the port is invalid */
function readOptions(): { port: number; data: string | undefined; bundles: boolean; help: boolean } {
  try {
    refuseNpmOptions('npm start', ['port', 'data', 'bundles'])
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        bundles: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    const { data, bundles, help } = values
    return { port: portOf(values.port ?? (process.env.PORT || '3000')), data, bundles, help }
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error))
  }
}

class UsageError extends Error {}

/** What `npm start` prints when the stack is ready. The page at `/` says more. */
function banner({ base_url, webhook_url, mail, stripe, demo }: LocalInfo, readyInMs: number, bundles: boolean): string {
  const { email, password } = demo.owner
  const served = bundles
    ? 'served by bundles: changes need a restart'
    : 'changes to functions/ and lib/ are served at once'
  return [
    '',
    styleText(['bold', 'green'], `Ready in ${(readyInMs / 1000).toFixed(1)} s`) +
      styleText('dim', `  (Ctrl+C stops everything; ${served})`),
    '',
    ...columns({
      'Start here': styleText('bold', `${base_url}/`),
      Console: `${base_url}/_local/console  sign in as ${email} with ${password}`,
      Mailbox: mail.page,
      Events: `${base_url}/_local/events`,
      'API docs': `${base_url}/_local/docs`,
      Stripe: stripe.api_base === STRIPE_ITSELF ? stripe.api_base : `${stripe.api_base}/_emulator/`,
      Webhook: webhook_url,
    }),
    '',
  ].join('\n')
}

function columns(rows: Record<string, string>): string[] {
  return Object.entries(rows).map(([name, value]) => `  ${styleText('cyan', name.padEnd(10))} ${value}`)
}

/** npm forwards a signal only to its shell, which ends without forwarding it: we notice only that our parent changed. */
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

/** A single line, no stack trace: if a start fails, the machine or the options are the cause. */
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
