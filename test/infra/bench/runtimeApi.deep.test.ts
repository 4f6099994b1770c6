import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type BundledFunctions, bundleFunctions } from '../../../infra/bench/bundleFunctions.ts'
import { type Sandbox, startSandbox } from '../../../infra/bench/sandbox.ts'
import { dummyCredentials, functionEnvironment } from '../../../infra/local/functionEnvironment.ts'
import { sampleOf } from '../../../infra/local/samples/readSamples.ts'
import { sampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'

const rows: readonly FunctionRow[] = manifest
const nowhere = 'http://127.0.0.1:9'
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Everything that a function asks for, and no neighbor that answers. */
const environment = {
  ...functionEnvironment({
    info: {
      base_url: nowhere,
      issuer: nowhere,
      dynamodb_endpoint: nowhere,
      kms_endpoint: nowhere,
      dns: { server: '127.0.0.1:9', page: nowhere },
      kms: { customer_key_id: 'customer', token_key_id: 'token' },
      stripe: {
        api_base: nowhere,
        secret_key: 'sk_test_x',
        publishable_key: 'pk_test_local',
        webhook_secret: 'whsec_x',
        previous_webhook_secret: '',
      },
      mail: { endpoint: nowhere, page: nowhere },
      tables: { accounts: 'accounts', billing: 'billing', audit_log: 'audit-log', events: 'events' },
    },
    tokenPublicKey: `any:${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`,
    clockUrl: undefined,
    quiet: true,
  }),
  ...dummyCredentials,
  AWS_REGION: 'us-east-1',
}

const httpAnswer = z.object({ statusCode: z.number(), body: z.string() })

let bundles: BundledFunctions
let folder: string

beforeAll(async () => {
  bundles = await bundleFunctions()
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
})

afterAll(async () => {
  await bundles?.close()
  if (folder !== undefined) await rm(folder, { recursive: true })
})

/** Runs `use` with a function in its sandbox, and ends that. */
async function withSandbox<T>(row: FunctionRow, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startSandbox({
    ...row,
    bootstrap: bundles.bootstrap,
    codeDirectory: bundles.codeDirectory(row.name),
    environment,
  })
  return use(sandbox).finally(() => sandbox.close())
}

/** The same for a module of its own. */
async function withCode<T>(code: string, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const codeDirectory = await mkdtemp(join(folder, 'code-'))
  await writeFile(join(codeDirectory, 'handler.mjs'), code)
  const sandbox = await startSandbox({
    bootstrap: bundles.bootstrap,
    codeDirectory,
    name: 'given',
    memoryMb: 128,
    timeoutSeconds: 3,
    environment: { GREETING: 'hello' },
  })
  return use(sandbox).finally(() => sandbox.close())
}

describe('A bundled function behind the Lambda Runtime API', () => {
  const refusals = rows.flatMap((row) => {
    const { refused } = row.samples
    return refused === undefined ? [] : [{ row, name: row.name, refused }]
  })
  const neverRefused = rows.filter(({ samples }) => samples.refused === undefined)
  const isDocument = ({ tables }: FunctionRow) => Object.keys(tables).length === 0

  it.each(refusals)('$name answers $refused as it says, without any neighbor', async ({ row, name, refused }) => {
    const answer = await withSandbox(row, (sandbox) => sandbox.invoke(sampleEvent(name, refused)))
    const said = expect.stringMatching(/"detail"|^<!doctype html>/)
    expect(httpAnswer.parse(answer)).toEqual({ statusCode: sampleOf(name, refused).expect, body: said })
  })

  it.each(neverRefused.filter(isDocument))('$name answers without any neighbor', async (row) => {
    const answer = await withSandbox(row, (sandbox) => sandbox.invoke(sampleEvent(row.name)))
    expect(httpAnswer.parse(answer).statusCode).toBe(sampleOf(row.name, row.samples.served ?? '').expect)
  })

  const scheduled = async (name: string) => {
    const row = rows.find((one) => one.name === name)
    if (row === undefined) throw new Error(`No row of ${name}`)
    return withSandbox(row, (sandbox) => sandbox.invoke(sampleEvent(name)))
  }

  it('billing-sweep starts, and reports as its error that a neighbor is unavailable', async () => {
    await expect(scheduled('billing-sweep')).rejects.toThrow(/^DynamoDB/)
  })

  it('billing-reconcile starts, and leaves its pass to the next run where a neighbor is unavailable', async () => {
    expect(await scheduled('billing-reconcile')).toEqual({
      ...{ state: 'interrupted', counts: null },
      ...{ drift: [], overdue: [], overdue_totals: [] },
    })
  })

  it('refuses a token request without a body', async () => {
    const row = rows.find(({ name }) => name === 'oauth-token')
    if (row === undefined) throw new Error('no row oauth-token')
    const event = { ...sampleEvent('oauth-token', 'missing-field'), body: undefined }
    const answer = await withSandbox(row, (sandbox) => sandbox.invoke(event))
    expect(httpAnswer.parse(answer)).toEqual({ statusCode: 422, body: expect.stringContaining('"detail"') })
  })

  it('answers one event after another from the same process', async () => {
    const row = rows.find(({ trigger }) => trigger.kind === 'unmatched')
    if (row === undefined) throw new Error('no row for unmatched routes')
    const answers = await withSandbox(row, async (sandbox) => [
      await sandbox.invoke(sampleEvent(row.name, 'unknown-path')),
      await sandbox.invoke(sampleEvent(row.name, 'wrong-method')),
    ])
    expect(answers.map((answer) => httpAnswer.parse(answer).statusCode)).toEqual([404, 405])
  })

  it('reports at its start what its environment lacks', async () => {
    const code = bundles.codeDirectory('users-me')
    const start = startSandbox({
      bootstrap: bundles.bootstrap,
      codeDirectory: code,
      name: 'users-me',
      memoryMb: 512,
      timeoutSeconds: 3,
      environment: {},
    })
    const sandbox = await start
    await expect(sandbox.invoke({}).finally(() => sandbox.close())).rejects.toThrow('ACCOUNTS_TABLE')
  })
})

describe('The sandbox', () => {
  it('gives the function its event, its context and its environment', async () => {
    const code = `export const handler = async (event, context) => ({
      event, name: context.functionName, left: context.getRemainingTimeInMillis(), greeting: process.env.GREETING,
    })`
    const answer = await withCode(code, (sandbox) => sandbox.invoke({ a: 1 }))
    expect(answer).toEqual({ event: { a: 1 }, name: 'given', left: expect.any(Number), greeting: 'hello' })
    expect(z.object({ left: z.number().positive().max(3000) }).safeParse(answer).success).toBe(true)
  })

  it('passes on what the function throws, by name and message, and stays', async () => {
    const code = `export const handler = async ({ bad }) => { if (bad) throw new RangeError('too far'); return 'fine' }`
    await withCode(code, async (sandbox) => {
      await expect(sandbox.invoke({ bad: true })).rejects.toMatchObject({ name: 'RangeError', message: 'too far' })
      expect(await sandbox.invoke({ bad: false })).toBe('fine')
    })
  })

  it('passes on what the module throws when it is loaded', async () => {
    await withCode(`throw new TypeError('no start')`, async (sandbox) => {
      await expect(sandbox.invoke({})).rejects.toMatchObject({ name: 'TypeError', message: 'no start' })
    })
  })

  it('says what a process printed that has ended', async () => {
    await withCode(`console.error('gone'); process.exit(1)`, async (sandbox) => {
      await expect(sandbox.invoke({})).rejects.toThrow('given has ended: gone')
    })
  })
})
