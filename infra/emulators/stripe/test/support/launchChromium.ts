import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The headless shell first: it opens a page in a third of the time of a whole browser. */
const usual = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

const { CHROMIUM_PATH } = process.env

/** A Chromium: the file named by `CHROMIUM_PATH`, or one in a usual place. Undefined if there is none. */
export const chromiumPath: string | undefined = (CHROMIUM_PATH === undefined ? usual : [CHROMIUM_PATH]).find((path) =>
  existsSync(path),
)

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

/** Starts a Chromium that sends no requests of its own. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: quiet })
}
