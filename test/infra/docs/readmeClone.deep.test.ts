import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { cleanEnvironment, startClone } from '../../../infra/bench/startClone.ts'
import { findChromium, launchChromium } from '../../support/browser/browser.ts'
import { playReadme } from './playReadme.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const run = promisify(execFile)
const path = findChromium()

it('A person’s first minutes: clone, npm ci, npm start, and the four steps of README', async () => {
  if (path === undefined) throw new Error('No Chromium found: set CHROMIUM_PATH or install chromium')
  const folder = await mkdtemp(join(tmpdir(), 'readme-'))
  const cwd = join(folder, 'clone')
  let stack: Awaited<ReturnType<typeof startClone>> | undefined
  let browser: Browser | undefined
  try {
    await run('git', ['clone', '--quiet', root, cwd])
    const [, commands = ''] =
      /## Run it\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(await readFile(join(cwd, 'README.md'), 'utf8')) ?? []
    expect(commands.trim().split('\n')).toEqual(['npm ci', 'npm start'])
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd, env: cleanEnvironment })
    stack = await startClone(cwd)
    browser = await launchChromium(path)
    await playReadme(await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' }), stack.baseUrl)
  } finally {
    await browser?.close()
    await stack?.stop()
    await rm(folder, { recursive: true })
  }
})
