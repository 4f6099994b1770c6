import { afterEach, beforeAll, beforeEach } from '@jest/globals'
import type { Page } from 'playwright-core'
import { useBrowser } from './useBrowser.ts'

/**
 * A tab for all tests of a file, and what `open` shows in it for each test: another tab is another process of the browser.
 * @param file the test file's path without its ending
 */
export function useTab<Opened extends { close(): Promise<void> }>(file: string, open: (page: Page) => Promise<Opened>) {
  const { browser, describeInBrowser } = useBrowser(file)
  let page: Page
  let opened: Opened | undefined
  beforeAll(async () => {
    page = await browser().newPage()
    page.setDefaultTimeout(60_000)
  })
  beforeEach(async () => {
    opened = await open(page)
  })
  afterEach(() => opened?.close())
  return {
    describeInBrowser,
    page: () => page,
    opened(): Opened {
      if (opened === undefined) throw new Error('nothing is open yet')
      return opened
    },
  }
}
