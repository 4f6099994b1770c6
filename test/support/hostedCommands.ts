import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll } from '@jest/globals'
import type { BillingStack } from './billingStack.ts'
import type { CommandResult, HostedCommand } from './commandHost.ts'

/**
 * Runs scripts of `infra/` for a test file, one after another, in one process: most of a short command's time goes into loading what
 * it imports. What depends on a fresh process, as variables of the environment do, is for `spawnScript`.
 */
export function hostedCommands(): (command: HostedCommand) => Promise<CommandResult> {
  let host: ChildProcess | undefined
  let ended: Promise<never> | undefined
  afterAll(() => void host?.kill())

  function start(): ChildProcess {
    const started = fork(fileURLToPath(new URL('commandHost.ts', import.meta.url)), {
      execArgv: [],
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, NO_COLOR: '1' },
    })
    ended = once(started, 'exit').then(([code]) => {
      throw new Error(`the host of commands ended with ${code}`)
    })
    return started
  }

  return async (command) => {
    host ??= start()
    host.send(command)
    const [result]: CommandResult[] = await Promise.race([once(host, 'message'), ...(ended ? [ended] : [])])
    if (result === undefined) throw new Error('the host of commands sent nothing')
    return result
  }
}

/** `npm run operate -- <first> ...` against the stack of a test file, or another script of `infra/operate`. */
export function commandOn(bed: { readonly stack: BillingStack }, script: 'operate' | 'reconcile', ...first: string[]) {
  const run = hostedCommands()
  return (...args: string[]) =>
    run({ script: `operate/${script}.ts`, args: [...first, ...args, '--base', bed.stack.client.info.base_url] })
}
