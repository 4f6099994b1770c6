import type { Browser, Page } from 'playwright-core'

export interface Look {
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

/**
 * One tab with script and one without, each in a profile of its own, for all tests of a file: another tab is another process of
 * the browser. `open` clears cookies and listeners, so that a test meets the tab as if it were fresh.
 */
export function openTabs(browser: () => Browser) {
  const tabs = new Map<boolean, Page>()

  return async ({ viewport, colorScheme }: Look, javaScriptEnabled: boolean): Promise<Page> => {
    const page = tabs.get(javaScriptEnabled) ?? (await browser().newPage({ javaScriptEnabled }))
    tabs.set(javaScriptEnabled, page)
    page.removeAllListeners()
    page.setDefaultTimeout(60_000)
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    return page
  }
}
