import { join } from 'node:path'
import { build } from 'esbuild'
import { lambdaModule } from '../../aws/bundle/bundle.ts'
import { readTokenPublicKey } from '../../local/dependencies/openKms.ts'
import { startLargeStore } from '../../local/dynamodb/startLargeStore.ts'
import { dummyCredentials, functionEnvironment } from '../../local/functionEnvironment.ts'
import { type LocalClient, localClient } from '../../local/localClient.ts'
import { startStack } from '../../local/stack.ts'
import type { FunctionName } from '../../manifest.ts'
import { bundleFunctions } from '../bundleFunctions.ts'
import type { WarmProcessOptions } from './warmProcess.ts'

const region = 'us-east-1'

/** The local stack, and the functions as they are deployed. */
export interface WarmBench {
  readonly client: LocalClient
  /** The options to start a function's process. */
  process(functionName: FunctionName): WarmProcessOptions
  close(): Promise<void>
}

/**
 * Bundles the functions and starts the stack. As on AWS, functions use the machine's clock.
 * @param organizations how many to add to the stack's own; none if left out
 */
export async function openBench({ organizations = 0 } = {}): Promise<WarmBench> {
  await using cleanUp = new AsyncDisposableStack()
  const bundles = cleanUp.adopt(await bundleFunctions(), (it) => it.close())
  const file = (name: string) => join(bundles.codeDirectory(name), 'handler.mjs')
  const worker = await bundlePlain(join(import.meta.dirname, 'worker.ts'), bundles.codeDirectory('warm-worker'))
  const store = organizations > 0 && cleanUp.adopt(await startLargeStore(organizations), (it) => it.close())
  const env = store ? { AWS_ENDPOINT_URL_DYNAMODB: store.endpoint } : {}
  const { info } = cleanUp.adopt(await startStack({ quiet: true, schedules: false, env }), (it) => it.close())
  const client = localClient(info)
  // Hold back the stack's own webhook: when it runs, it uses the machine too, and writes the same slots.
  await client.control('webhooks', { mode: 'hold' })
  const tokenPublicKey = await readTokenPublicKey(info.kms_endpoint, region)
  const environment = {
    ...functionEnvironment({ info, tokenPublicKey, clockUrl: undefined }),
    ...dummyCredentials,
    AWS_REGION: region,
    // The function logs, and counts, as it does on Lambda.
    LOG_LEVEL: 'INFO',
    METRICS: 'on',
  }
  const opened = cleanUp.move()
  return {
    client,
    process: (functionName) => ({ worker, handler: file(functionName), environment }),
    close: () => opened.disposeAsync(),
  }
}

/**
 * Bundles a file with its packages unchanged, so that a floor uses the SDKs as documented; `infra/aws/bundle` takes parts out of them.
 * @returns the bundle, in `directory`
 * @throws esbuild's own error if it does not compile
 */
async function bundlePlain(file: string, directory: string): Promise<string> {
  const outfile = join(directory, 'handler.mjs')
  await build({
    entryPoints: [file],
    outfile,
    ...lambdaModule,
    // CommonJS packages need require(), which an ES module does not have.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)` },
  })
  return outfile
}
