import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, launchChromium } from './launchChromium.ts'

/**
 * A Chromium for the tests of a file: the file named by `CHROMIUM_PATH`, or one in a usual place. If there is none, the tests are skipped
 * and the reason is printed.
 * @param file the test file's path without its ending, for the reason
 */
export function useBrowser(file: string) {
  if (chromiumPath === undefined)
    process.stderr.write(`${file} is skipped: no Chromium found (set CHROMIUM_PATH or install chromium)\n`)
  let browser: Browser | undefined
  beforeAll(async () => {
    if (chromiumPath !== undefined) browser = await launchChromium(chromiumPath)
  })
  afterAll(() => browser?.close())
  return {
    describeInBrowser: chromiumPath === undefined ? describe.skip : describe,
    browser(): Browser {
      if (browser === undefined) throw new Error('the browser is not started yet')
      return browser
    },
  }
}

/**
 * Waits until an expression is true in the page, for a minute. Throws with the expression if it never is. Playwright's own
 * `waitForFunction` evaluates again by `eval` in the page, which the content security policy forbids.
 */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(20))
    if (await page.evaluate(`Boolean(${expression})`)) return
  throw new Error(`Never true in the page: ${expression}`)
}
