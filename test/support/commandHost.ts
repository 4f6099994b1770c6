import { resolve } from 'node:path'
import { format } from 'node:util'

/** A command for the host: a script of `infra/`, and its arguments. */
export interface HostedCommand {
  readonly script: string
  readonly args: readonly string[]
}

/** What it printed, to both streams, and the code it exited with. */
export interface CommandResult {
  readonly code: number
  readonly output: string
}

/** Ends the command that called `process.exit`, and not the host. */
class Exited extends Error {}

let printed = ''
let settle: ((code: number) => void) | undefined
const infra = resolve(import.meta.dirname, '../../infra')

function keep(chunk: string | Uint8Array): boolean {
  printed += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
  return true
}

/** Runs a command as its own process would: with its arguments, until it exits or has nothing left to do. */
async function run({ script, args }: HostedCommand, number: number): Promise<CommandResult> {
  printed = ''
  process.argv.splice(1, process.argv.length, `${infra}/${script}`, ...args)
  process.exitCode = undefined
  // So a command that has nothing left to do is noticed.
  process.channel?.unref()
  const exited = new Promise<number>((resolve) => {
    settle = resolve
  })
  // Another query is another module, which runs anew; what it imports is there already.
  import(`${infra}/${script}?run=${number}`).catch((error: unknown) => {
    if (error instanceof Exited) return
    keep(format(error))
    settle?.(1)
  })
  return { code: await exited, output: printed }
}

process.stdout.write = keep
process.stderr.write = keep
process.exit = (code) => {
  settle?.(Number(code ?? process.exitCode ?? 0))
  throw new Exited()
}
process.on('unhandledRejection', (error) => {
  if (error instanceof Exited) return
  keep(format(error))
  settle?.(1)
})
process.on('beforeExit', () => settle?.(Number(process.exitCode ?? 0)))

let number = 0
process.on('message', async (command: HostedCommand) => {
  number += 1
  const result = await run(command, number)
  settle = undefined
  process.channel?.ref()
  process.send?.(result)
})
