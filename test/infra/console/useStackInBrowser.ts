import { afterAll, beforeAll, describe } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { type LocalClient, localClient } from '../../../infra/local/localClient.ts'
import { type LocalStack, startStack } from '../../../infra/local/stack.ts'
import { findChromium, launchChromium } from '../../support/browser.ts'
import { type OpenedConsole, openConsole } from './openConsole.ts'

const path = findChromium()

/**
 * A stack and a browser from before the first test of a file until after its last. Says so if there is no browser.
 * @param file the test file's path without its ending
 * @param env settings of the stack
 */
export function useStackInBrowser(file: string, env: Readonly<Record<string, string>> = {}) {
  if (path === undefined)
    process.stderr.write(`${file} is skipped: no Chromium found (set CHROMIUM_PATH or install chromium)\n`)
  let stack: LocalStack | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    if (path === undefined) return
    const started = await Promise.all([startStack({ quiet: true, schedules: false, env }), launchChromium(path)])
    stack = started[0]
    browser = started[1]
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.close()
  })
  function local(): LocalClient {
    if (stack === undefined) throw new Error('the stack is not started')
    return localClient(stack.info)
  }
  async function open(look?: Parameters<typeof openConsole>[2], locale?: string): Promise<OpenedConsole> {
    if (stack === undefined || browser === undefined) throw new Error('the stack is not started')
    return openConsole(browser, stack.info, look, locale)
  }
  return {
    runs: path !== undefined,
    describeInBrowser: path === undefined ? describe.skip : describe,
    local,
    open,
    /** A page of a new organization, which its owner has opened. The page may use the clipboard. */
    async openAsOwner(ownPath: string, heading: string) {
      const organizationId = await local().newOrganization()
      const opened = await open()
      await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await opened.open(`organizations/${organizationId}${ownPath}`)
      await opened.signIn(local().info.demo.owner)
      await opened.heading(heading)
      return { organizationId, opened }
    },
  }
}
