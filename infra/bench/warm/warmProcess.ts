import { fork } from 'node:child_process'
import { once } from 'node:events'
import * as z from 'zod'
import { type Outcome, outcome, type Request } from './messages.ts'

/** A process that holds one function, started and warm. */
export interface WarmProcess {
  /** @throws Error where a call failed */
  run(request: Request): Promise<Outcome>
  close(): Promise<void>
}

/** The files and settings that a function runs with. */
export interface WarmProcessOptions {
  /** The bundled `worker.ts`. */
  readonly worker: string
  /** The function's `handler.mjs`. */
  readonly handler: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where its profile is written when it is closed; none is made where left out. */
  readonly profileFolder?: string | undefined
}

/** Starts the process, with this process's Node. Its log goes nowhere. */
export async function startWarmProcess(options: WarmProcessOptions): Promise<WarmProcess> {
  const { worker, handler, environment, profileFolder } = options
  const child = fork(worker, [handler], {
    env: { ...environment, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x', TZ: ':UTC' },
    execArgv: profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const answered = async () => {
    const [message] = await Promise.race([once(child, 'message'), gone.then(() => [])])
    if (message === undefined) throw new Error(`${handler} has ended`)
    return message
  }
  z.object({ ready: z.literal(true) }).parse(await answered())
  return {
    async run(request) {
      child.send(request)
      const result = outcome.parse(await answered())
      if ('error' in result) throw new Error(result.error)
      return result
    },
    async close() {
      // Disconnected, it ends by itself, and writes its profile.
      child.disconnect()
      await gone
    },
  }
}
