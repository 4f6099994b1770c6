import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { startRuntimeApi } from './runtimeApi.ts'

interface SandboxOptions {
  /** The bundled `bootstrap.ts`. */
  readonly bootstrap: string
  /** The directory of the function's `handler.mjs`. */
  readonly codeDirectory: string
  readonly name: string
  readonly memoryMb: number
  readonly timeoutSeconds: number
  /** The function's own variables. Lambda's variables are added; variables of this process are not. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where its log goes: this process's standard output, or nowhere, which is the default. */
  readonly output?: 'inherit' | 'ignore'
}

/** A function in a process of its own, as cold as Lambda's. */
export interface Sandbox {
  /**
   * @returns the function's answer
   * @throws FunctionError if the function failed, or its start
   * @throws Error with the process's output if the process ended
   */
  invoke(event: unknown): Promise<unknown>
  /** Ends the process. */
  close(): Promise<void>
}

/** Starts a function behind a Runtime API of its own, with this process's Node. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { bootstrap, codeDirectory, name, memoryMb, timeoutSeconds, environment, output = 'ignore' } = options
  const api = await startRuntimeApi()
  const child = spawn(process.execPath, [bootstrap], {
    cwd: codeDirectory,
    stdio: ['ignore', output, 'pipe'],
    env: {
      ...environment,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_RUNTIME_API: api.address,
      LAMBDA_TASK_ROOT: codeDirectory,
      _HANDLER: 'handler.handler',
      TZ: ':UTC',
    },
  })
  const printed = text(child.stderr)
  const gone = once(child, 'exit').then(async () => api.fail(new Error(`${name} has ended: ${await printed}`)))
  return {
    invoke: (event) => api.invoke(event, timeoutSeconds),
    async close() {
      child.kill()
      await gone
      await api.close()
    },
  }
}
