import type { ClientRequest, IncomingMessage } from 'node:http'
import { join } from 'node:path'

/**
 * The part of a Lambda sandbox between the Runtime API and a function: imports the module that `_HANDLER` names and passes invocations to it
 * in sequence. It is bundled, so that Node has no types to strip when it starts. Source: AWS, "Using the Lambda runtime API for custom
 * runtimes".
 */
async function run(): Promise<void> {
  const { AWS_LAMBDA_RUNTIME_API = '', LAMBDA_TASK_ROOT = '', _HANDLER = '' } = process.env
  const runtime = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`
  const [file = '', name = ''] = _HANDLER.split('.')
  const handler = await load(join(LAMBDA_TASK_ROOT, `${file}.mjs`), name).catch(async (error: unknown) => {
    await send('POST', `${runtime}/init/error`, described(error))
    process.exit(1)
  })
  for (;;) {
    const { headers, body } = await send('GET', `${runtime}/invocation/next`)
    const id = String(headers['lambda-runtime-aws-request-id'])
    try {
      const answer = await handler(JSON.parse(body), contextOf(headers))
      await send('POST', `${runtime}/invocation/${id}/response`, answer ?? null)
    } catch (error) {
      await send('POST', `${runtime}/invocation/${id}/error`, described(error))
    }
  }
}

async function load(file: string, name: string): Promise<(event: unknown, context: unknown) => unknown> {
  const handler = (await import(file))[name]
  if (typeof handler !== 'function') throw new Error(`${file} exports no function ${name}`)
  return handler
}

function contextOf(headers: IncomingMessage['headers']) {
  const deadline = Number(headers['lambda-runtime-deadline-ms'])
  return {
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  }
}

function described(error: unknown) {
  return error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, stackTrace: error.stack?.split('\n') }
    : { errorType: 'Error', errorMessage: String(error), stackTrace: [] }
}

function send(method: 'GET' | 'POST', url: string, body?: unknown) {
  return new Promise<{ headers: IncomingMessage['headers']; body: string }>((resolve, reject) => {
    // Not by `import`, like AWS's own client: an import would load undici (see infra/aws/bundle/leanModules.ts), and hide if a function does.
    const request: ClientRequest = process.getBuiltinModule('node:http').request(url, { method }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ headers: response.headers, body: text }))
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

// If the Runtime API is gone, end the sandbox too.
run().catch(() => process.exit(1))
