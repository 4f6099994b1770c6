import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json, text } from 'node:stream/consumers'
import * as z from 'zod'
import { listenOnLoopback } from '../listenOnLoopback.ts'

export interface SandboxOptions {
  /** The bundled `bootstrap.ts`. */
  readonly bootstrap: string
  /** The directory of the function's `handler.mjs`. */
  readonly codeDirectory: string
  /** The function's name, or `bare`. */
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

/** The error that a function reports, when it starts or in place of an answer. `name` is the error's own name. */
class FunctionError extends Error {
  constructor({ errorType, errorMessage }: z.infer<typeof reported>) {
    super(errorMessage)
    this.name = errorType
  }
}

/** The Runtime API of a sandbox on 127.0.0.1. */
interface RuntimeApi {
  /** `host:port`, the value of `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string
  /**
   * Passes the event to the sandbox when it next asks for an event. Resolves with the function's answer.
   * @throws FunctionError if the function failed, or its start
   * @throws Error the reason of `fail`
   */
  invoke(event: unknown, timeoutSeconds: number): Promise<unknown>
  /** Rejects all open and later invocations, because the sandbox is gone. */
  fail(reason: Error): void
  close(): Promise<void>
}

const reported = z.object({ errorType: z.string(), errorMessage: z.string() })

interface Invocation {
  readonly id: string
  readonly event: unknown
  readonly timeoutSeconds: number
  readonly answer: PromiseWithResolvers<unknown>
}

/** Starts a Runtime API on a free port: `next` waits for an event, as on AWS. Source: AWS, "Using the Lambda runtime API". */
async function startRuntimeApi(): Promise<RuntimeApi> {
  const waiting: Invocation[] = []
  const running = new Map<string, Invocation>()
  let asking: ServerResponse | undefined
  let broken: Error | undefined

  function handOut(): void {
    const invocation = asking && waiting.shift()
    if (asking === undefined || invocation === undefined) return
    running.set(invocation.id, invocation)
    asking
      .writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': invocation.id,
        'lambda-runtime-deadline-ms': String(Date.now() + invocation.timeoutSeconds * 1000),
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:000000000000:function:local',
      })
      .end(JSON.stringify(invocation.event))
    asking = undefined
  }

  function fail(reason: Error): void {
    broken ??= reason
    for (const { answer } of [...waiting.splice(0), ...running.values()]) answer.reject(broken)
    running.clear()
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = '', outcome] =
      /^\/2018-06-01\/runtime\/(?:invocation\/([^/]+)|init)\/(response|error)$/.exec(request.url ?? '') ?? []
    if (request.method === 'GET' && request.url === '/2018-06-01/runtime/invocation/next') {
      asking = response
      handOut()
      return
    }
    const body = await json(request)
    const invocation = running.get(id)
    running.delete(id)
    if (outcome === 'response') invocation?.answer.resolve(body)
    else if (invocation) invocation.answer.reject(new FunctionError(reported.parse(body)))
    else fail(new FunctionError(reported.parse(body)))
    response.writeHead(202).end()
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      fail(error instanceof Error ? error : new Error(String(error)))
      response.destroy()
    })
  })
  const { url, close } = await listenOnLoopback(server)

  return {
    address: new URL(url).host,
    fail,
    invoke(event, timeoutSeconds) {
      const answer = Promise.withResolvers<unknown>()
      if (broken) answer.reject(broken)
      else waiting.push({ id: randomUUID(), event, timeoutSeconds, answer })
      handOut()
      return answer.promise
    },
    close,
  }
}
