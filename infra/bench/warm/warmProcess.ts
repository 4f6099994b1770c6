import { fork } from 'node:child_process'
import { once } from 'node:events'
import * as z from 'zod'
import { type Outcome, outcome, type Request } from './messages.ts'

/** A process with a function, started and warm. */
export interface WarmProcess {
  /** @throws Error if a call failed */
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
  /** The folder for its profile, written when the process closes; no profile if left out. */
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
      // When disconnected, it writes its profile and ends by itself.
      child.disconnect()
      await gone
    },
  }
}
