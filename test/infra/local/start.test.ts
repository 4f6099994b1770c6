import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { catalogCoupons, catalogProducts } from '../../../infra/data/catalog.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { settingVariables } from '../../../infra/local/settings.ts'
import { createEmulator } from '../../support/emulator.ts'
import { addressesOf, type ChildStack, isListening, spawnScript } from './support/childStack.ts'

const running: ChildStack[] = []

function start(args: string[] = ['--port', '0'], env: Record<string, string> = {}): ChildStack {
  const child = spawnScript('local/start.ts', args, env)
  running.push(child)
  return child
}

function childrenOf(parent: number): number[] {
  const rows = spawnSync('ps', ['-A', '-o', 'pid=,ppid=']).stdout.toString().trim().split('\n')
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([pid = 0, parentPid]) => (parentPid === parent ? [pid] : []))
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => child.stop()))
})

describe('npm start', () => {
  describe('Given free ports', () => {
    it('starts in under three seconds of the processor and prints where everything is, and a demo user, in six lines', async () => {
      const child = start()
      const info = await child.ready()
      expect(child.cpuSeconds()).toBeLessThan(3)
      const { base_url, webhook_url, stripe, demo } = info
      const places = ['/', '/_local/console', '/_local/mail', '/_local/docs'].map((path) => base_url + path)
      for (const place of [...places, webhook_url, `${stripe.api_base}/_emulator/`])
        expect(child.output().split(/\s+/)).toContain(place)
      expect(child.output()).toContain(`${demo.owner.email} with ${demo.owner.password}`)
      expect(child.output().trim().split('\n')).toHaveLength(1 + 1 + 6)
    })

    it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
      'exits with 0 within ten seconds of %s and leaves no server listening',
      async (signal) => {
        const child = start()
        const info = await child.ready()
        const { code, milliseconds } = await child.stop(signal)
        expect(code).toBe(0)
        expect(milliseconds).toBeLessThan(10_000)
        for (const address of addressesOf(info)) expect(await isListening(address)).toBe(false)
      },
    )

    it('takes the port from the variable PORT', async () => {
      const probe = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => probe.once('listening', resolve))
      const address = probe.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      await new Promise((resolve) => probe.close(resolve))
      const info = await start([], { PORT: String(port) }).ready()
      expect(info.base_url).toBe(`http://localhost:${port}`)
    })
  })

  describe('Given that a signal ends npm’s shell', () => {
    it('ends with its parent', async () => {
      const child = spawnScript('local/start.ts', ['--port', '0'], { npm_lifecycle_event: 'start' }, 'shell')
      running.push(child)
      const info = await child.ready()
      await child.stop()
      for (const address of addressesOf(info)) expect(await isListening(address)).toBe(false)
    })
  })

  describe('Given a Node', () => {
    const run = (node: string) =>
      spawnSync(node, ['infra/local/start.mjs', '--help'], {
        encoding: 'utf8',
        cwd: new URL('../../../', import.meta.url),
      })

    it('says in one sentence which it is', () => {
      expect(run(process.execPath).stdout).toMatch(/^Runs on Node \d+\.\d+\.\d+ .*\.\nUsage: /)
    })

    // Only some machines have an old Node.
    const old = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8' }).stdout ?? ''
    const itIfOld = /^v2[0-3]\./.test(old) ? it : it.skip
    itIfOld('says in one sentence that it is too old (skipped if /usr/bin/node is not Node 20 to 23)', () => {
      const { status, stdout, stderr } = run('/usr/bin/node')
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(
        /^npm start needs Node 24\.21\.0 or later .*this is Node 2[0-3]\.[\d.]+ at \/usr\/bin\/node.*\.\n$/,
      )
    })
  })

  describe('Given a port in use', () => {
    it('prints the reason in one line and exits with 1', async () => {
      const info = await start().ready()
      const { port } = new URL(info.base_url)
      const second = start(['--port', port])
      expect(await second.exited).toBe(1)
      expect(second.output()).toBe(
        `The local stack did not start: port ${port} is in use: stop the process that listens there, or take another: npm start -- --port N\n`,
      )
    })
  })

  describe('Given --help', () => {
    it('prints every option and variable, and starts nothing', async () => {
      const child = start(['--help'])
      expect(await child.exited).toBe(0)
      for (const name of ['--port N', '--data DIR', '--bundles', 'PORT', ...settingVariables.map(([name]) => name)])
        expect(child.output()).toMatch(new RegExp(`^  ${name} .*[a-z]{2}`, 'm'))
      expect(child.output()).not.toContain('Ready in')
    })
  })

  describe('Given an option that it does not know', () => {
    it.each([
      { args: ['--prot', '3'], reason: "Unknown option '--prot'" },
      { args: ['--port', 'x'], reason: 'not a port: x' },
    ])('prints the reason and the usage, a line each, for $args', async ({ args, reason }) => {
      const child = start(args)
      expect(await child.exited).toBe(1)
      expect(child.output()).toBe(`${reason}\nUsage: npm start -- [--port N] [--data DIR] [--bundles] [--help]\n`)
    })
  })

  describe('Given an option before npm’s --', () => {
    it('explains --', async () => {
      const child = start([], { npm_config_port: '4302' })
      expect(await child.exited).toBe(1)
      expect(child.output()).toMatch(
        /^npm kept --port 4302 for itself: write it after --, as in npm start -- --port 4302\nUsage: /,
      )
    })
  })

  describe('Given a folder with a spoilt file', () => {
    it.each([
      ['stripe.json', '{"half":'],
      ['stripe.json', '{"another": "program’s"}'],
      ['stripe.journal', '{"another": "program’s"}\n'],
      ['dynamodb.sqlite', 'This is no database. Nor is this a header of SQLite 3, which is long.'],
    ])('names the file and the way out: %s with %s', async (name, text) => {
      const folder = await mkdtemp(join(tmpdir(), 'local-stack-'))
      try {
        await writeFile(join(folder, name), text)
        const child = start(['--port', '0', '--data', folder])
        expect(await child.exited).toBe(1)
        expect(child.output()).toMatch(/^The local stack did not start: .*Move its folder away.*\n$/)
        expect(child.output()).toContain(join(folder, name))
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  })

  describe('Given that its DynamoDB ends by itself', () => {
    it('says so in one line, stops everything and exits with 1', async () => {
      const child = start()
      const info = await child.ready()
      for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGKILL')
      expect(await child.exited).toBe(1)
      const { host } = new URL(info.dynamodb_endpoint)
      expect(child.output()).toContain(
        `The local stack has stopped: DynamoDB at ${host} ended with SIGKILL. Start it again.\n`,
      )
      for (const address of addressesOf(info)) expect(await isListening(address)).toBe(false)
    })
  })

  describe('Given a Stripe key of live mode', () => {
    it('refuses to start', async () => {
      const child = start(['--port', '0'], { STRIPE_SECRET_KEY: 'sk_live_x' })
      expect(await child.exited).toBe(1)
      expect(child.output()).toContain('live mode')
    })
  })

  describe('Given the emulators of another stack', () => {
    it('serves the same users, webhook secrets and, by its issuer, tokens, and follows the same clock', async () => {
      const first = await start().ready()
      const second = await start(['--port', '0'], {
        AWS_ENDPOINT_URL_DYNAMODB: first.dynamodb_endpoint,
        AWS_ENDPOINT_URL_KMS: first.kms_endpoint,
        AWS_ENDPOINT_URL_SESV2: first.mail.endpoint,
        STRIPE_API_BASE: first.stripe.api_base,
        TOKEN_ISSUER: first.issuer,
      }).ready()
      expect((await localClient(first).stripe.prices.list()).data).toHaveLength(catalogProducts.length)
      expect((await localClient(first).stripe.promotionCodes.list()).data).toHaveLength(catalogCoupons.length)
      const { base_url, webhook_url } = second
      const mail = { ...first.mail, page: `${base_url}/_local/mail` }
      expect(second).toEqual({ ...first, base_url, webhook_url, mail })

      const { access_token: token } = await localClient(first).signIn('owner')
      const readMe = { method: 'GET', path: '/api/users/me', token } as const
      expect(await localClient(second).send(readMe)).toEqual(await localClient(first).send(readMe))
      expect(await localClient(second).send(readMe)).toMatchObject({ status: 200, body: { id: first.demo.owner.id } })

      await createEmulator(first.stripe.api_base).advance(16 * 60)
      expect((await localClient(second).send(readMe)).status).toBe(401)
      const { access_token: fresh } = await localClient(second).signIn('owner')
      expect((await localClient(second).send({ ...readMe, token: fresh })).status).toBe(200)
    })
  })

  describe('Given --data', () => {
    it('keeps users and the gateway’s state over a restart', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'local-stack-'))
      try {
        const first = start(['--port', '0', '--data', folder])
        const before = localClient(await first.ready())
        const token = (await before.signIn('member')).access_token
        await before.send({ method: 'PATCH', path: '/api/users/me', token, body: { username: 'renamed-member' } })
        const coupon = await before.stripe.coupons.create({ percent_off: 10, duration: 'once' })
        await first.stop()

        const info = await start(['--port', '0', '--data', folder]).ready()
        const after = localClient(info)
        // Another port is another issuer.
        expect((await after.send({ method: 'GET', path: '/api/users/me', token })).status).toBe(401)
        const fresh = (await after.signIn('member')).access_token
        const me = await after.send({ method: 'GET', path: '/api/users/me', token: fresh })
        expect(me).toMatchObject({ status: 200, body: { username: 'renamed-member' } })
        expect((await after.stripe.coupons.retrieve(coupon.id)).id).toBe(coupon.id)
        const endpoints = await after.stripe.webhookEndpoints.list()
        expect(endpoints.data.map(({ url }) => url)).toEqual([info.webhook_url])
      } finally {
        await Promise.all(running.splice(0).map((child) => child.stop()))
        await rm(folder, { recursive: true })
      }
    })
  })
})
