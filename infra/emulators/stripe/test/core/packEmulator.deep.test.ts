import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

const root = fileURLToPath(new URL('../../', import.meta.url))
const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))

// The package is installed in an empty folder, as a stranger would, without the network.
let folder = ''
let tarball = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stranger-'))
  const pack = ['--no-warnings', join(root, 'server/packEmulator.ts'), folder]
  tarball = execFileSync(process.execPath, pack, { encoding: 'utf8' }).trim()
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  execFileSync('npm', ['install', '--offline', '--silent', tarball], { cwd: folder })
}, 300_000)
afterAll(() => rm(folder, { recursive: true }))

describe('The package', () => {
  it('needs no other package, and nothing outside of itself', async () => {
    const installed = await readdir(join(folder, 'node_modules'))
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['stripe-emulator'])
    const server = join(folder, 'node_modules/stripe-emulator/server')
    const imported = new Set<string>()
    for (const file of await readdir(server))
      for (const [, name = ''] of (await readFile(join(server, file), 'utf8')).matchAll(
        /(?:from|import)\s*\(?"([^"]+)"/g,
      ))
        imported.add(name)
    const foreign = [...imported].filter((name) => !/^(node:|\.\/)/.test(name) && !builtinModules.includes(name))
    // Bundles Stripe.js from its sources, which the package does not have: it has the bundles.
    expect(foreign).toEqual(['esbuild'])
  })

  it('runs by npx, and serves the API, its page and Stripe.js', async () => {
    const child = spawn('npx', ['--yes', '--offline', '--package', tarball, 'stripe-emulator', '--port', '0'], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let said = ''
      for await (const text of child.stdout.setEncoding('utf8')) {
        said += text
        if (said.includes('  data ')) break
      }
      const base = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? ''
      const headers = { authorization: 'Bearer sk_test_StripeEmulator0000000000' }
      expect((await fetch(`${base}/v1/customers`, { method: 'POST', headers, body: 'name=Ada' })).status).toBe(200)
      for (const path of [
        '/_emulator/',
        '/_emulator/page.js',
        '/v3/',
        '/v3/card.html',
        '/v3/card.js',
        '/v3/challenge.js',
      ]) {
        const response = await fetch(base + path)
        expect([path, response.status]).toEqual([path, 200])
        expect((await response.text()).length).toBeGreaterThan(100)
      }
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid)
      await once(child, 'close')
    }
  })

  it('has types for a program of a stranger', async () => {
    await writeFile(
      join(folder, 'mine.ts'),
      `import { startStripeEmulator, type StripeEmulator } from 'stripe-emulator'
const { url, key, control, close }: StripeEmulator = await startStripeEmulator({ port: 0, clock: '2026-01-01T00:00:00Z' })
control.loseAnswer({ method: 'POST', path: '/v1/subscriptions' })
const now: Date = await control.advance('1 month')
console.log(url, key, now.toISOString())
// @ts-expect-error a span is text
await control.advance(1).catch(() => {})
await close()
`,
    )
    const options = ['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', '--types', '']
    execFileSync(process.execPath, [compiler, ...options, '--ignoreConfig', '--outDir', folder, 'mine.ts'], {
      cwd: folder,
      stdio: 'inherit',
    })
    const said = execFileSync(process.execPath, ['mine.js'], { cwd: folder, encoding: 'utf8' })
    expect(said).toContain('2026-02-01T00:00')
  })
})
