import { afterAll, afterEach, beforeAll, describe } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { findChromium, launchChromium } from './browser.ts'

/**
 * A Chromium for the tests of a file, which are skipped where there is none, with the reason printed. What a test puts into `opened` is
 * closed after it.
 * @param file the test file's path without its ending, for the reason
 */
export function useBrowser(file: string) {
  const path = findChromium()
  if (path === undefined)
    process.stderr.write(`${file} is skipped: no Chromium found (set CHROMIUM_PATH or install chromium)\n`)
  let browser: Browser | undefined
  const opened: { close(): Promise<void> | void }[] = []
  beforeAll(async () => {
    if (path !== undefined) browser = await launchChromium(path)
  })
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close()
  })
  afterAll(() => browser?.close())
  return {
    opened,
    describeInBrowser: path === undefined ? describe.skip : describe,
    browser(): Browser {
      if (browser === undefined) throw new Error('the browser is not started yet')
      return browser
    },
  }
}
