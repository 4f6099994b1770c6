import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { catalogCoupons, catalogProducts } from '../../../infra/data/catalog.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { createEmulator } from '../../support/emulator.ts'
import { addressesOf, isListening, spawnScript } from './support/childStack.ts'
import { expectEndBy, useChildStacks } from './support/useChildStacks.ts'

const { start, running, stopAll } = useChildStacks()

function childrenOf(parent: number): number[] {
  const rows = spawnSync('ps', ['-A', '-o', 'pid=,ppid=']).stdout.toString().trim().split('\n')
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([pid = 0, parentPid]) => (parentPid === parent ? [pid] : []))
}

describe('npm start', () => {
  describe('Given free ports', () => {
    it.each(['SIGINT', 'SIGHUP'] as const)(
      'exits with 0 within ten seconds of %s and leaves no server listening',
      async (signal) => {
        await expectEndBy(signal, start())
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
      // Its name server is its own.
      const { base_url, webhook_url, dns } = second
      const mail = { ...first.mail, page: `${base_url}/_local/mail` }
      const events = { ...first.events, url: `${base_url}/_local/events` }
      expect(second).toEqual({ ...first, base_url, webhook_url, mail, events, dns })
      expect(dns.page).toBe(`${base_url}/_local/dns`)

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
        await stopAll()
        await rm(folder, { recursive: true })
      }
    })
  })
})
