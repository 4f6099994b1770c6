import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/** The headless shell first: without windows, profiles and extensions it needs a third of a whole browser's time to open a page. */
const usual = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

/** Where a Chromium is: what `CHROMIUM_PATH` names, else a usual place; undefined where there is none. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  return (named === undefined ? usual : [named]).find((path) => existsSync(path))
}

/** A headless browser with a fresh profile that makes no requests of its own. */
export function launchChromium(executablePath: string) {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
