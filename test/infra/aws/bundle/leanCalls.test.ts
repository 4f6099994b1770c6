import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { Sha256 } from '@smithy/core/checksum'
import { SignatureV4 } from '@smithy/signature-v4'
import * as z from 'zod'
import { bundle, type CodeDirectory } from '../../../../infra/aws/bundle/bundle.ts'
import { Sha256Node } from '../../../../infra/aws/bundle/lambdaSha256.ts'
import { edits } from '../../../../infra/aws/bundle/leanCalls.ts'
import { type LoopbackServer, listenOnLoopback } from '../../../../infra/listenOnLoopback.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const role = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' }
const bytes = (size: number) => Uint8Array.from({ length: size }, (_, at) => at)

describe('SHA-256 in bundles', () => {
  it.each([
    ['a plain digest', undefined],
    ['an empty key', ''],
    ['a key of text', 'AWS4secret'],
    ['a key of bytes', bytes(32)],
    ['a part of a buffer as the key', bytes(64).subarray(16, 48)],
    ['a key in a buffer', bytes(100).buffer],
  ])('is the SDK’s own: %s', async (_, secret) => {
    const [ours, own] = [new Sha256Node(secret), new Sha256(secret)]
    for (const hash of [ours, own]) {
      hash.update(bytes(3))
      hash.reset()
      hash.update(bytes(70))
      hash.update(bytes(0))
    }
    expect(Buffer.from(await ours.digest())).toEqual(Buffer.from(await own.digest()))
  })
})

describe('What is changed in the SDK', () => {
  it.each(edits)('is in the packages that are installed: $from in $module', ({ module, from, to }) => {
    const files = globSync('node_modules/@{aws-sdk,smithy}/**/*.js', { cwd: root })
      .filter((file) => module.test(file))
      .filter((file) => !/client-(?!dynamodb|kms|secrets-manager|sesv2)/.test(file))
    expect(files.length).toBeGreaterThan(0)
    const unchanged = files.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return text.replace(from, to) === text
    })
    expect(unchanged).toEqual([])
  })
})

/** A request to KMS. */
interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What KMS answers next, in turn, and then always `{}`. */
type Answer = { readonly status: number; readonly type: string; readonly date?: Date }

describe('A call of a bundled client', () => {
  let outdir: string
  let codeDirectory: CodeDirectory
  let server: LoopbackServer
  let received: Received[] = []
  let answers: Answer[] = []

  beforeAll(async () => {
    const kms = createServer(async (request, response) => {
      const { method = '', url = '', headers } = request
      received.push({ method, path: url, headers, body: await text(request) })
      const { status, type, date = new Date() } = answers.shift() ?? { status: 200, type: '' }
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1', date: date.toUTCString() })
      response.end(JSON.stringify(type ? { __type: type } : {}))
    })
    server = await listenOnLoopback(kms)
    outdir = await mkdtemp(join(tmpdir(), 'bundles-'))
    const file = join(root, 'infra/aws/constructs/data/tokenPublicKey/handler.ts')
    codeDirectory = await bundle({ 'token-public-key': file }, outdir)
  })

  afterEach(() => {
    received = []
    answers = []
  })

  afterAll(async () => {
    await server?.close()
    if (outdir !== undefined) await rm(outdir, { recursive: true })
  })

  /** Makes calls in sequence in a Node of its own, and answers how many attempts each took, or the name of its error. */
  async function attempts(calls: number): Promise<unknown> {
    const script = `
      const { KMSClient, GetPublicKeyCommand } = await import(${JSON.stringify(join(codeDirectory('token-public-key'), 'kms.mjs'))})
      const kms = new KMSClient({})
      const results = []
      for (let call = 0; call < ${calls}; call++) {
        const result = kms.send(new GetPublicKeyCommand({ KeyId: 'key' }))
        results.push(await result.then(({ $metadata }) => $metadata.attempts, ({ name, $metadata }) => [name, $metadata.attempts]))
      }
      process.stdout.write(JSON.stringify(results))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: outdir,
      env: {
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: role.accessKeyId,
        AWS_SECRET_ACCESS_KEY: role.secretAccessKey,
        AWS_SESSION_TOKEN: role.sessionToken,
        AWS_ENDPOINT_URL_KMS: server.url,
      },
    })
    return JSON.parse(stdout)
  }

  /** The signature that these headers and this body must have, by the SDK's signer as published. */
  async function signatureOf({ method, path, headers, body }: Received): Promise<string | undefined> {
    const { authorization = '' } = headers
    const [, names = ''] = /SignedHeaders=([^,]+)/.exec(authorization) ?? []
    const signed = Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]))
    const signer = new SignatureV4({ service: 'kms', region: 'eu-central-1', credentials: role, sha256: Sha256 })
    const request = { method, protocol: 'http:', hostname: '127.0.0.1', path, query: {}, headers: signed, body }
    return (await signer.sign(request, { signingDate: timeOf(headers) })).headers.authorization
  }

  function timeOf({ 'x-amz-date': date }: IncomingHttpHeaders): Date {
    return new Date(String(date).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  }

  it('is signed as the SDK signs, each one', async () => {
    expect(await attempts(3)).toEqual([1, 1, 1])
    expect(received).toHaveLength(3)
    for (const request of received) {
      expect(request.headers.authorization).toContain('Credential=ASIAEXAMPLE/')
      expect(request.headers.authorization).toBe(await signatureOf(request))
    }
  })

  it('is repeated after a failure of KMS, and fails with KMS’s error after three attempts', async () => {
    const failure = { status: 500, type: 'KMSInternalException' }
    answers = [failure, failure, { status: 200, type: '' }, failure, failure, failure]
    expect(await attempts(2)).toEqual([3, ['KMSInternalException', 3]])
  })

  it('fails at once with a refusal', async () => {
    answers = [{ status: 400, type: 'AccessDeniedException' }]
    expect(await attempts(1)).toEqual([['AccessDeniedException', 1]])
  })

  it('follows the clock of AWS if its own is wrong', async () => {
    const date = new Date(Date.now() + 3_600_000)
    answers = [{ status: 400, type: 'RequestTimeTooSkewed', date }]
    expect(await attempts(1)).toEqual([2])
    const [own = 0, followed = 0] = received.map(({ headers }) => timeOf(headers).getTime())
    expect(Math.abs(own - Date.now())).toBeLessThan(60_000)
    expect(Math.abs(followed - date.getTime())).toBeLessThan(60_000)
    expect(received[1]?.headers.authorization).toBe(await signatureOf(z.custom<Received>().parse(received[1])))
  })
})
