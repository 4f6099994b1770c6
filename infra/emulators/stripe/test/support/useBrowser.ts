import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The headless shell first: it opens a page in a third of the time of a whole browser. */
const usual = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

/**
 * A Chromium for the tests of a file: the file named by `CHROMIUM_PATH`, or one in a usual place. If there is none, the tests are skipped
 * and the reason is printed.
 * @param file the test file's path without its ending, for the reason
 */
export function useBrowser(file: string) {
  const { CHROMIUM_PATH } = process.env
  const executablePath = (CHROMIUM_PATH === undefined ? usual : [CHROMIUM_PATH]).find((path) => existsSync(path))
  if (executablePath === undefined)
    process.stderr.write(`${file} is skipped: no Chromium found (set CHROMIUM_PATH or install chromium)\n`)
  let browser: Browser | undefined
  beforeAll(async () => {
    if (executablePath !== undefined) browser = await chromium.launch({ executablePath, args: quiet })
  })
  afterAll(() => browser?.close())
  return {
    describeInBrowser: executablePath === undefined ? describe.skip : describe,
    browser(): Browser {
      if (browser === undefined) throw new Error('the browser is not started yet')
      return browser
    },
  }
}

/** Options with which Chromium sends no requests of its own. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Waits until an expression is true in the page, for a minute. Throws with the expression if it never is. Playwright's own
 * `waitForFunction` evaluates again by `eval` in the page, which the content security policy forbids.
 */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(20))
    if (await page.evaluate(`Boolean(${expression})`)) return
  throw new Error(`Never true in the page: ${expression}`)
}
