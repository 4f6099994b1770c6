import { execFile } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { App, Stack } from 'aws-cdk-lib/core'
import * as z from 'zod'
import { bundle, type CodeDirectory } from '../../../../infra/aws/bundle/bundle.ts'
import { ServiceFunction } from '../../../../infra/aws/constructs/functions/ServiceFunction.ts'
import { stageNamed } from '../../../../infra/data/stages.ts'
import { type KmsServer, startKmsServer } from '../../../../infra/emulators/kms/startKmsServer.ts'

const entryPoint = fileURLToPath(
  new URL('../../../../infra/aws/constructs/data/tokenPublicKey/handler.ts', import.meta.url),
)
const tokenKey = {
  keyId: '33333333-3333-4333-8333-333333333333',
  keySpec: 'RSA_2048',
  keyUsage: 'SIGN_VERIFY',
} as const

let outdir: string
let codeDirectory: CodeDirectory
let kms: KmsServer

beforeAll(async () => {
  kms = await startKmsServer({ seed: 'test seed', keys: [tokenKey] })
  outdir = await mkdtemp(join(tmpdir(), 'bundles-'))
  codeDirectory = await bundle({ 'token-public-key': entryPoint }, outdir)
})

afterAll(async () => {
  await kms?.close()
  if (outdir !== undefined) await rm(outdir, { recursive: true })
})

/** Runs the bundled handler as Lambda would, in a Node of its own with nothing but AWS's variables, and answers its answer. */
async function invoke(event: object): Promise<unknown> {
  const script = `
    const { handler } = await import(${JSON.stringify(join(codeDirectory('token-public-key'), 'handler.mjs'))})
    process.stdout.write(JSON.stringify(await handler(${JSON.stringify(event)})))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: outdir,
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_KMS: kms.endpoint,
    },
  })
  return JSON.parse(stdout)
}

describe('The bundle of a function', () => {
  // [asvs 13.4.1]
  it('is ES modules, the function and what it loads late, each with its source map beside it', async () => {
    const files = await readdir(codeDirectory('token-public-key'))
    const code = files.filter((file) => file.endsWith('.mjs'))
    expect(files.toSorted()).toEqual(code.flatMap((file) => [file, `${file}.map`]).toSorted())
    expect(code.filter((file) => !file.startsWith('shared-')).toSorted()).toEqual(['handler.mjs', 'kms.mjs'])
  })

  // [asvs 13.4.2]
  it('is deployed without the maps, which stay where they were made', async () => {
    const assets = await mkdtemp(join(tmpdir(), 'assets-'))
    try {
      const app = new App({ outdir: assets, builtinCloudFormationValidation: false })
      new ServiceFunction(new Stack(app, 'Small'), 'Function', {
        ...{ name: 'small', summary: 'Small', memoryMb: 256, timeoutSeconds: 5 },
        stage: stageNamed('dev'),
        codeDirectory: codeDirectory('token-public-key'),
      })
      app.synth()
      const [asset = ''] = (await readdir(assets)).filter((name) => /^asset\.[0-9a-f]+$/.test(name))
      const code = (await readdir(codeDirectory('token-public-key'))).filter((file) => file.endsWith('.mjs'))
      expect((await readdir(join(assets, asset))).toSorted()).toEqual(code.toSorted())
    } finally {
      await rm(assets, { recursive: true })
    }
    // The CDK loads its modules when they are first used, which takes a while beside other tests.
  })

  it('names every function whose code is missing', async () => {
    const [one, two] = [join(outdir, 'one.ts'), join(outdir, 'two.ts')]
    await expect(
      bundle({ 'token-public-key': entryPoint, 'not-there': one, 'nor-there': two }, outdir),
    ).rejects.toThrow(`No code to bundle: not-there (${one}), nor-there (${two})`)
  })
})

describe('Custom::TokenPublicKey', () => {
  const resource = { ResourceProperties: { ServiceToken: 'arn', KeyId: tokenKey.keyId } }

  it.each(['Create', 'Update'])('answers the public key of the key on %s', async (RequestType) => {
    const answer = z
      .strictObject({ PhysicalResourceId: z.string(), Data: z.strictObject({ PublicKey: z.string() }) })
      .parse(await invoke({ RequestType, ...resource }))
    expect(answer.PhysicalResourceId).toBe(tokenKey.keyId)
    const [kid, spki = ''] = answer.Data.PublicKey.split(':')
    expect(kid).toBe(tokenKey.keyId)
    const der = Buffer.from(spki, 'base64')
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
    expect(publicKey.asymmetricKeyDetails).toEqual({ modulusLength: 2048, publicExponent: 65537n })
  })

  it('does nothing on Delete', async () => {
    kms.reset()
    expect(await invoke({ RequestType: 'Delete', ...resource })).toEqual({})
    expect(kms.calls()).toEqual([])
  })

  it('fails for a key that does not exist', async () => {
    const unknown = { KeyId: '99999999-9999-4999-8999-999999999999' }
    await expect(invoke({ RequestType: 'Create', ResourceProperties: unknown })).rejects.toThrow('NotFoundException')
  })
})
