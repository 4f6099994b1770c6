import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { settingVariables } from '../../../infra/local/settings.ts'
import { type ChildStack, spawnScript } from './support/childStack.ts'
import { expectEndBy, useChildStacks } from './support/useChildStacks.ts'

const { start } = useChildStacks()

// Every other way to start and to end is in the deep tests.
describe('npm start', () => {
  describe('Given free ports', () => {
    let child: ChildStack
    beforeAll(() => {
      child = spawnScript('local/start.ts', ['--port', '0'])
    })
    afterAll(() => child.stop())

    it('starts in under three seconds of the processor and prints where everything is, and a demo user, in seven lines', async () => {
      const info = await child.ready()
      expect(child.cpuSeconds()).toBeLessThan(3)
      const { base_url, webhook_url, stripe, demo } = info
      const places = ['/', '/_local/console', '/_local/mail', '/_local/docs'].map((path) => base_url + path)
      for (const place of [...places, webhook_url, `${stripe.api_base}/_emulator/`])
        expect(child.output().split(/\s+/)).toContain(place)
      expect(child.output()).toContain(`${demo.owner.email} with ${demo.owner.password}`)
      expect(child.output().trim().split('\n')).toHaveLength(1 + 1 + 7)
    })

    it('exits with 0 within ten seconds of SIGTERM and leaves no server listening', async () => {
      await expectEndBy('SIGTERM', child)
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

  describe('Given a Stripe key of live mode', () => {
    it('refuses to start', async () => {
      const child = start(['--port', '0'], { STRIPE_SECRET_KEY: 'sk_live_x' })
      expect(await child.exited).toBe(1)
      expect(child.output()).toContain('live mode')
    })
  })
})
