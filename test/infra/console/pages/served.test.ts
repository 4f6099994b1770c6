import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { bundleConsole } from '../../../../infra/console/bundle/bundleConsole.ts'
import { consoleConfig, consoleControls, consolePolicy } from '../../../../infra/local/console/consoleControls.ts'
import { STRIPE_ITSELF } from '../../../../infra/local/settings.ts'

const info = {
  base_url: 'http://localhost:3000',
  issuer: 'http://localhost:3000',
  stripe: { api_base: 'http://127.0.0.1:4000', publishable_key: 'pk_test_1' },
}

function asking(controls: ReturnType<typeof consoleControls>) {
  return async (url: string, { method = 'GET' } = {}) => {
    const headers = [['Host', 'localhost:3000']] as const
    const wire = { method, url, headers, body: Buffer.alloc(0), sourceIp: '127.0.0.1', time: 0, requestId: 'r' }
    const answer = await controls(wire)
    return answer && { ...answer, text: answer.body.toString('utf8') }
  }
}

describe('GET /_local/console', () => {
  const ask = asking(consoleControls(info))

  it('answers the page at every path below it that names no file, never cached, with a policy', async () => {
    const first = await ask('/_local/console')
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } })
    expect(first?.text).toContain('<base href="/_local/console/">')
    expect(first?.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self' http:\/\/127/)
    for (const path of ['/', '/organizations/1/cards', '/callback?code=1'])
      expect((await ask(`/_local/console${path}`))?.text).toBe(first?.text)
  })

  it('answers the assets that the page names, to be kept for ever, and 404 for others', async () => {
    const page = (await ask('/_local/console/'))?.text ?? ''
    const assets = [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => path)
    expect(assets.map((path = '') => path.replace(/-.*\./, '.'))).toEqual(
      expect.arrayContaining(['assets/main.css', 'assets/chunk.js', 'assets/main.js']),
    )
    for (const path of assets) {
      expect(path).toMatch(/-[0-9A-Z]{8}\.(js|css)$/)
      const headers = { 'cache-control': 'public, max-age=31536000, immutable' }
      expect(await ask(`/_local/console/${path}`)).toMatchObject({ status: 200, headers })
    }
    expect(await ask('/_local/console/assets/main-OLD.js')).toMatchObject({ status: 404 })
    expect(await ask('/_local/console/', { method: 'POST' })).toMatchObject({ status: 405 })
  })

  it('answers the configuration of this stack', async () => {
    expect(JSON.parse((await ask('/_local/console/config.json'))?.text ?? '')).toEqual({
      issuer: 'http://localhost:3000',
      client_id: 'demo-browser-console',
      api_base_url: 'http://localhost:3000',
      stripe_publishable_key: 'pk_test_1',
      stripe_js_url: 'http://127.0.0.1:4000/v3/',
    })
  })

  it('leaves every other path to others', async () => {
    expect(await ask('/_local/consoles')).toBeUndefined()
    expect(await ask('/_local/info')).toBeUndefined()
  })

  it('is bundled once for requests of one moment, again when a source has changed, and again after a failure', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'console-'))
    const source = join(folder, 'main.tsx')
    await writeFile(source, '')
    let made = 0
    let fails = false
    const make = async () => {
      made += 1
      if (fails) throw new Error('a source does not compile')
      const index = { path: 'index.html', type: 'text/html', contents: Buffer.from(`made ${made}`) }
      return { files: [index], inputs: [source] }
    }
    const look = asking(consoleControls(info, make))
    const texts = await Promise.all([look('/_local/console'), look('/_local/console'), look('/_local/console/x')])
    expect(texts.map((answer) => answer?.text)).toEqual(['made 1', 'made 1', 'made 1'])
    const later = new Date(Date.now() + 5000)
    await utimes(source, later, later)
    fails = true
    await expect(look('/_local/console')).rejects.toThrow('does not compile')
    fails = false
    expect((await look('/_local/console'))?.text).toBe('made 3')
    await rm(folder, { recursive: true })
  })
})

describe('The console with Stripe’s own test mode', () => {
  it('loads Stripe’s script, and its policy allows what Stripe.js needs', () => {
    const config = consoleConfig({ ...info, stripe: { api_base: STRIPE_ITSELF, publishable_key: 'pk_test_2' } })
    expect(config.stripe_js_url).toBe('https://js.stripe.com/endive/stripe.js')
    expect(consolePolicy(config)).toBe(
      "default-src 'none'; script-src 'self' https://js.stripe.com https://*.js.stripe.com; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self' http://localhost:3000 https://api.stripe.com; " +
        'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; ' +
        "base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
    )
  })
})

describe('npm run build:console', () => {
  it('makes a page for the path that it is given', async () => {
    const { files } = await bundleConsole('/console/')
    const index = files.find(({ path }) => path === 'index.html')
    expect(Buffer.from(index?.contents ?? []).toString()).toContain('<base href="/console/">')
    const paths = files.map(({ path }) => path.replace(/-[0-9A-Z]{8}/, ''))
    const expected = ['index.html', 'icon.svg', 'assets/main.js', 'assets/main.css', 'assets/en.js', 'assets/de.js']
    expect(paths).toEqual(expect.arrayContaining([...expected, 'assets/OverviewPage.js', 'assets/buying.js']))
  })
})
