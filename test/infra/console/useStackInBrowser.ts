import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { type LocalClient, localClient } from '../../../infra/local/localClient.ts'
import { type LocalStack, startStack } from '../../../infra/local/stack.ts'
import { findChromium, launchChromium } from '../../support/browser/browser.ts'
import { createEmulator } from '../../support/emulator.ts'
import { type OpenedConsole, openConsole } from './openConsole.ts'

const path = findChromium()

export type OwnersConsole = OpenedConsole & { readonly organizationId: string }

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
  /** A page of an organization, by default a new one, which its owner has opened. The page may use the clipboard. */
  async function openAsOwner(ownPath: string, heading: string, id?: string): Promise<OwnersConsole> {
    const organizationId = id ?? (await local().newOrganization())
    const opened = await open()
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await opened.open(`organizations/${organizationId}${ownPath}`)
    await opened.signIn(local().info.demo.owner)
    await opened.heading(heading)
    return { ...opened, organizationId }
  }
  return {
    runs: path !== undefined,
    describeInBrowser: path === undefined ? describe.skip : describe,
    local,
    open,
    openAsOwner,
    /** The page of a new organization for each test, open before the test begins. */
    openAsOwnerBeforeEach(ownPath: string, heading: string) {
      let opened: OwnersConsole | undefined
      beforeEach(async () => {
        if (path !== undefined) opened = await openAsOwner(ownPath, heading)
      })
      afterEach(() => opened?.close())
      return () => {
        if (opened === undefined) throw new Error('the page is opened before each test')
        return opened
      }
    },
    /** The path of the demo's organization in the console. */
    own: () => `organizations/${local().info.demo.organization_id}`,
    /** Lets a sign-in grow old, by the clock that everything goes by. */
    growOld: () => createEmulator(local().info.stripe.api_base).advance(620),
    /** Signs in on the hosted page as the demo's owner, whose address is filled in. */
    async signInAgain({ page, button, forgetRefusals }: OpenedConsole) {
      await page.locator('input[type=password]').fill(local().info.demo.owner.password)
      forgetRefusals(401)
      await button(/^Sign in$/).click()
    },
  }
}
