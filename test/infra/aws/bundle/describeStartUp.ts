import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type BundledFunctions, bundleFunctions } from '../../../../infra/bench/bundleFunctions.ts'
import { sampleOf } from '../../../../infra/local/samples/readSamples.ts'
import { sampleEvent } from '../../../../infra/local/samples/sampleEvent.ts'
import { type FunctionRow, manifest } from '../../../../infra/manifest.ts'
import { startSecretsManager } from '../../../security/iam/startSecretsManager.ts'
import { plainBranding } from '../../../support/branding.ts'
import { stageWith, synthesizeStage } from '../stacks/synthesized.ts'

const { service } = synthesizeStage(stageWith({}, 'prod'))
const publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'der', type: 'spki' })

/** What variables hold that may not hold just anything. */
const values: Readonly<Record<string, string>> = {
  TOKEN_PUBLIC_KEY: `33333333-3333-4333-8333-333333333333:${publicKey.toString('base64')}`,
  TOKEN_ISSUER: 'https://api.example.com',
  ACCOUNT_URL: 'https://api.example.com',
  BRANDING: JSON.stringify(plainBranding),
  RATE_LIMITS: 'on',
  RATE_LIMIT: JSON.stringify({ functionName: 'any', requests: 1, windowSeconds: 60, failMode: 'open' }),
  RELEASE_READER: 'unknown_user',
  STRIPE_SECRET_KEY_ARN: 'arn:key',
  STRIPE_WEBHOOK_SECRETS_ARN: 'arn:webhook',
}

const rows: readonly FunctionRow[] = manifest

/** What the handler takes from `lib/runtime/billing.ts`: some of it needs the customer key. */
function billingPartsOf(name: string): string | undefined {
  const handler = readFileSync(join('functions', name, 'handler.ts'), 'utf8')
  return /import \{(.*)\} from '..\/..\/lib\/runtime\/billing.ts'/.exec(handler)?.[1]
}

const ofShape = Map.groupBy(rows, ({ name, trigger, secrets, kms, samples }) =>
  JSON.stringify([
    trigger.kind,
    secrets.length > 0,
    Object.keys(kms).length > 0,
    samples.refused === 'no-token',
    billingPartsOf(name),
  ]),
)
/** The first function of each kind of trigger, with secrets, keys or a token and without, for each way to get what billing needs. */
export const firstOfShape = [...ofShape.values()].flatMap(([row]) => (row === undefined ? [] : [row.name]))
const withoutToken = rows.filter(({ samples }) => samples.refused === 'no-token')
// The others refuse a client, whose record they read.
const refusing = withoutToken.filter(({ name }) => sampleOf(name, 'no-token').expect === 401)

let bundles: BundledFunctions
let secrets: Awaited<ReturnType<typeof startSecretsManager>>

/** The variables that the stack sets. */
function variablesOf(name: string): object {
  return service.lambda(name).Environment?.Variables ?? {}
}

/** Loads a function as a cold start does, with the variables that the stack sets and no other. Rejects with what it throws. */
async function start(name: string, rest = 'process.exit(0)'): Promise<unknown> {
  const set = Object.keys(variablesOf(name))
  const env = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    LOG_LEVEL: 'SILENT',
    ...Object.fromEntries(set.map((variable) => [variable, values[variable] ?? 'any'])),
  }
  const file = join(bundles.codeDirectory(name), 'handler.mjs')
  const code = `import(${JSON.stringify(file)}).then(async ({ handler }) => { ${rest} })`
  const worker = new Worker(code, { eval: true, env, stdout: true })
  const messages: unknown[] = []
  worker.on('message', (message) => messages.push(message))
  await once(worker, 'exit')
  return messages[0]
}

/** Answers an event and reports its status, the parts that were loaded for it, which are modules of `require`, and whether Node's own crypto was. */
function answerTo(name: string, event: unknown): string {
  const file = JSON.stringify(join(bundles.codeDirectory(name), 'handler.mjs'))
  return `
    const { cache } = process.getBuiltinModule('node:module').createRequire(${file})
    const { statusCode } = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 10000 })
    const loaded = Object.keys(cache).map((path) => path.split('/').at(-1))
    const encrypts = process.moduleLoadList.includes('NativeModule crypto')
    require('node:worker_threads').parentPort.postMessage({ statusCode, loaded, encrypts })
    process.exit(0)`
}

/** Starts the bundles of these functions as a cold start does, and sends those that want a token a request without one. */
export function describeStartUp(chosen: readonly string[]): void {
  beforeAll(async () => {
    bundles = await bundleFunctions(chosen)
    secrets = await startSecretsManager({ 'arn:key': 'sk_test_1', 'arn:webhook': 'whsec_1' })
  })

  afterAll(async () => {
    await secrets?.close()
    await bundles?.close()
  })

  describe('A function on AWS', () => {
    it.each(chosen)('starts with the variables that the stack sets: %s', async (name) => {
      await expect(start(name)).resolves.toBeUndefined()
    })
  })

  describe('A request without a token', () => {
    it.each(refusing.map(({ name }) => name).filter((name) => chosen.includes(name)))(
      'is refused before any SDK is loaded, and what encrypts: %s',
      async (name) => {
        expect(await start(name, answerTo(name, sampleEvent(name, 'no-token')))).toEqual({
          statusCode: 401,
          loaded: [],
          encrypts: false,
        })
      },
    )
  })
}
