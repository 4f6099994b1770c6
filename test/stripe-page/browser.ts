import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

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
