import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { OptionError, readRunOptions } from '../../server/runOptions.ts'
import { listen } from '../../server/startStripeServer.ts'

const script = fileURLToPath(new URL('../../server/cli.ts', import.meta.url))

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Runs the command; `ready` resolves with what it printed once it listens, `ended` with how it ended. */
function run(...args: string[]) {
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  const ready = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      if (/ {2}data .*\n/.test(out)) resolve(out)
    })
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }))
  closing.push(() => {
    child.kill('SIGKILL')
    return ended
  })
  return { ready, ended, stop: () => child.kill('SIGTERM') }
}

const portIn = (banner: string) => /127\.0\.0\.1:(\d+)\/v1/.exec(banner)?.[1] ?? ''
const sdk = (port: string, key = 'sk_test_emulator') =>
  new Stripe(key, { protocol: 'http', host: '127.0.0.1', port, telemetry: false, maxNetworkRetries: 0 })

async function open(server: Server): Promise<string> {
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return listen(server, 0)
}

/** A server of another program that verifies what is delivered to it, with the SDK. */
async function openEndpoint(secret: string) {
  const verified: Stripe.Event[] = []
  const arrived = Promise.withResolvers<void>()
  const base = await open(
    createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      const signature = request.headers['stripe-signature'] ?? ''
      verified.push(sdk('1').webhooks.constructEvent(Buffer.concat(chunks), signature, secret))
      response.end()
      arrived.resolve()
    }),
  )
  return { url: `${base}/hook?from=stripe`, verified, arrived: arrived.promise }
}

describe('npm run stripe', () => {
  it('serves the SDK by itself, delivers signed webhooks, and keeps its data over a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stripe-'))
    closing.push(() => rm(folder, { recursive: true }))
    const endpoint = await openEndpoint('whsec_of_mine')
    const keys = ['--key', 'sk_test_mine', '--webhook', `${endpoint.url}=whsec_of_mine`]
    const args = ['--port', '0', '--data', folder, '--api-version', '2026-08-26.dahlia', ...keys]
    const first = run(...args)
    const port = portIn(await first.ready)
    const customer = await sdk(port, 'sk_test_mine').customers.create({ name: 'Ada' })
    await endpoint.arrived
    const event = { type: 'customer.created', api_version: '2026-08-26.dahlia', data: { object: { id: customer.id } } }
    expect(endpoint.verified).toMatchObject([event])
    await expect(sdk(port).customers.list()).rejects.toMatchObject({ statusCode: 401 })
    first.stop()
    expect(await first.ended).toMatchObject({ code: 0, err: '' })
    const again = run(...args)
    const { data } = await sdk(portIn(await again.ready), 'sk_test_mine').customers.list()
    expect(data).toMatchObject([{ id: customer.id, name: 'Ada' }])
  })

  it('says in one line that the port is in use', async () => {
    const { port } = new URL(await open(createServer()))
    const { code, err } = await run('--port', port).ended
    expect([code, err]).toEqual([
      1,
      `The Stripe emulator did not start: port ${port} is in use: stop the process that listens there, or choose another --port\n`,
    ])
  })

  it('explains its options, and which it does not have', async () => {
    const help = await run('--help').ended
    expect(help).toMatchObject({ code: 0, out: expect.stringMatching(/--webhook URL=SECRET/) })
    const { code, err } = await run('--prot', '1').ended
    expect([code, err]).toEqual([2, "The Stripe emulator did not start: Unknown option '--prot': see --help\n"])
  })

  it.each([
    [['--port', '70000'], /--port 70000 is no port/],
    [['--port', ''], /is no port/],
    [['--port'], /'--port <value>' argument missing.*see --help/],
    [['--webhook', 'http://127.0.0.1/hook'], /is not URL=SECRET/],
    [['--webhook', 'hook=whsec_1'], /is not URL=SECRET/],
    [['--key', 'sk_live_1'], /takes keys of test mode/],
    [['--publishable-key', 'sk_test_1'], /takes keys of test mode: pk_test/],
    [['--api-version', 'newest'], /--api-version newest is no version/],
    [['data'], /see --help/],
  ])('refuses %j', (args, message) => {
    const read = () => readRunOptions(args)
    expect(read).toThrow(OptionError)
    expect(read).toThrow(message)
  })

  it('takes several webhooks, whose URLs and secrets may have equals signs', () => {
    const args = ['--webhook', 'http://a.test/?b=c=whsec_d=', '--webhook', 'https://e.test/=whsec_f']
    expect(readRunOptions(args)).toMatchObject({
      port: 12111,
      webhooks: [
        { url: 'http://a.test/?b=c', secret: 'whsec_d=' },
        { url: 'https://e.test/', secret: 'whsec_f' },
      ],
      secretKeys: ['sk_test_StripeEmulator0000000000', 'sk_test_emulator'],
    })
  })
})
