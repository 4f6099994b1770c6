import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import * as z from 'zod'
import { mailerFromEnvironment } from '../../../lib/runtime/mailer.ts'
import { verificationMail } from '../../../lib/users/mails.ts'
import { violations } from '../../support/aws/violations.ts'
import { plainBranding } from '../../support/branding.ts'
import { examinedLooks, looks } from '../../support/browser/looks.ts'
import { type Look, openTabs } from '../../support/browser/openTabs.ts'
import { useBrowser } from '../../support/browser/useBrowser.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { announceEvent } from './support/announceEvent.ts'

const { browser, describeInBrowser } = useBrowser('test/infra/local/localPages')

const desktop = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const
const openTab = openTabs(browser)
let page: Page
let errors: string[]
let requested: string[]

const stack = await openLocalStack({ events: true })
const mailer = mailerFromEnvironment()
beforeEach(async () => {
  await fetch(`${stack.info.base_url}/_local/mail`, { method: 'DELETE' })
})

async function open(address: string, look: Look = desktop): Promise<void> {
  page = await openTab(look, true)
  errors = []
  requested = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('response', (response) => requested.push(response.url()))
  await page.goto(new URL(address, stack.info.base_url).href)
}

function mailTo(to: string, link = `${stack.info.base_url}/api/auth/link?purpose=register`) {
  const look = { branding: plainBranding, language: 'en' } as const
  return mailer.send(verificationMail(look, { to, link, expiresInMinutes: 60 }))
}

/** `context` is axe-core's: what of the document it looks at. */
async function expectGood(name: string, context = 'document'): Promise<void> {
  expect({ name, violations: await violations(page, { context }) }).toEqual({ name, violations: [] })
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  const folder = process.env.SCREENSHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.png`), await page.screenshot({ fullPage: true }))
}

/** The whole document of the API takes ten seconds: the states of the console look at it. */
const partOfDocs = "['header', '#operations-Billing-createCheckout', '#operations-Billing-listInvoices']"

const rows = () => page.locator('#list li:visible')
const reader = () => page.frameLocator('article iframe')

describeInBrowser('The pages of the local stack', () => {
  it.each(examinedLooks)('pass axe-core, fit the screen and log no error ($name)', async ({ name, ...look }) => {
    await open('/', look)
    await page.getByRole('heading', { level: 1, name: 'The console backend is running' }).waitFor()
    // Without its style a page would still pass axe-core.
    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--card')")).toMatch(/^#/)
    await expectGood(`start-${name}`)
    await open('/_local/mail', look)
    await page.getByText('No mail yet.').waitFor()
    await expectGood(`mail-none-${name}`)
    await mailTo('ada@example.com')
    await rows().filter({ hasText: 'ada@example.com' }).getByRole('link').click()
    await reader().getByRole('heading').waitFor()
    await expectGood(`mail-${name}`)
    expect(errors).toEqual([])
  })

  it.each([looks[1], looks[2]])(
    'pass axe-core and fit the screen with the API’s document ($name)',
    async ({ name, ...look }) => {
      await open('/_local/docs', look)
      await page.getByRole('status').filter({ hasText: 'Signed in' }).waitFor()
      await expectGood(`docs-${name}`, partOfDocs)
      expect(errors).toEqual([])
    },
  )

  it('copies a password', async () => {
    await open('/')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy the password of Owner' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(stack.info.demo.owner.password)
    expect(errors).toEqual([])
  })
})

describeInBrowser('The page of events', () => {
  const listed = () => page.locator('#events li:visible')

  it('shows a new event without a reload, leaves open what is open, and passes axe-core', async () => {
    await open('/_local/events')
    await page.getByText('No event yet.').waitFor()
    await expectGood('events-none')
    await page.evaluate('window.kept = true')
    await announceEvent(stack.info, 1)
    await listed().getByText('no. 1 of').click()
    await announceEvent(stack.info, 2)
    await listed().filter({ hasText: 'no. 2 of' }).waitFor()
    expect(await page.evaluate('window.kept')).toBe(true)
    await page.locator('pre').filter({ hasText: '"sequence": 1' }).waitFor()
    await page.getByRole('button', { name: 'Copy the request' }).waitFor()
    expect(errors).toEqual([])
  })

  it.each(examinedLooks)('passes axe-core with events, as does the first page ($name)', async ({ name, ...look }) => {
    for (const revision of [3, 4, 5, 6, 7]) await announceEvent(stack.info, revision)
    await open('/_local/events', look)
    await listed().nth(4).waitFor()
    await listed().first().click()
    await expectGood(`events-${name}`)
    await open('/', look)
    await listed().nth(4).waitFor()
    expect(await listed().count()).toBe(5)
    await expectGood(`start-events-${name}`)
    expect(errors).toEqual([])
  })
})

describeInBrowser('The links of the first page that sign in', () => {
  it('open the console as that user at one click, again and again in the same tab', async () => {
    await open('/')
    const users = { Owner: 'demo-owner', Stranger: 'demo-stranger' }
    for (const title of ['Owner', 'Stranger', 'Owner'] as const) {
      await page.goto(stack.info.base_url)
      await page.getByRole('link', { name: `Sign in as ${title}` }).click()
      await page.waitForURL('**/_local/console/**')
      await page.getByText(users[title]).first().waitFor()
    }
  })
})

describeInBrowser('The page of the mailbox', () => {
  it('shows a new mail within two seconds, without a reload', async () => {
    await open('/_local/mail')
    await page.evaluate('window.kept = true')
    await mailTo('ada@example.com')
    const sent = performance.now()
    await rows().filter({ hasText: 'ada@example.com' }).waitFor()
    expect(performance.now() - sent).toBeLessThan(2500)
    await page.getByRole('status').filter({ hasText: 'A new mail' }).waitFor()
    expect(await page.evaluate('window.kept')).toBe(true)
    expect(errors).toEqual([])
  })

  it('leaves the open mail open while others arrive, and asks for no content that has not changed', async () => {
    await mailTo('first@example.com')
    await mailTo('second@example.com')
    await open('/_local/mail')
    await rows().filter({ hasText: 'first@example.com' }).getByRole('link').click()
    await page.locator('article dd', { hasText: 'first@example.com' }).waitFor()
    await reader().getByRole('heading').waitFor()
    await page.waitForResponse((answer) => answer.status() === 304)
    requested.length = 0
    await mailTo('third@example.com')
    await rows().filter({ hasText: 'third@example.com' }).waitFor()
    expect(await page.locator('article dd').first().textContent()).toBe('first@example.com')
    expect(requested.filter((url) => url.includes('/html'))).toEqual([])
  })

  it('searches by address and subject', async () => {
    await mailTo('ada@example.com')
    await mailTo('grace@example.com')
    await open('/_local/mail')
    const search = page.getByLabel('Search by address or subject')
    await search.fill('GRACE')
    expect(await rows().count()).toBe(1)
    await search.fill('confirm your')
    expect(await rows().count()).toBe(2)
    await search.fill('nothing')
    await page.getByText('No mail matches.').waitFor()
    await mailTo('nothing-else@example.com')
    await rows().filter({ hasText: 'nothing-else@example.com' }).waitFor()
    expect(await rows().count()).toBe(1)
  })

  it('deletes the open mail, and all', async () => {
    for (const to of ['ada@example.com', 'grace@example.com', 'alan@example.com']) await mailTo(to)
    await open('/_local/mail')
    await rows().filter({ hasText: 'grace@example.com' }).getByRole('link').click()
    await page.locator('article dd', { hasText: 'grace@example.com' }).waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.locator('article dd', { hasText: 'alan@example.com' }).waitFor()
    expect(await rows().count()).toBe(2)
    await page.getByRole('button', { name: 'Delete all' }).click()
    await page.getByText('No mail yet.').waitFor()
    expect(await page.locator('article').isVisible()).toBe(false)
  })

  it.each(['127.0.0.1', 'localhost'])(
    'opens links in a tab of their own at the stack’s address, when it is opened at %s',
    async (host) => {
      await mailTo('ada@example.com')
      const origin = stack.info.base_url
      await open(`${origin.replace('localhost', host)}/_local/mail`)
      for (const open of [
        () => reader().getByRole('link', { name: 'Confirm email address' }).click(),
        () => page.getByRole('link', { name: 'Open its link' }).click(),
      ]) {
        const opened = page.context().waitForEvent('page')
        await open()
        const tab = await opened
        await tab.waitForLoadState()
        expect(tab.url()).toBe(`${origin}/api/auth/link?purpose=register`)
        expect(await tab.getByRole('heading', { level: 1 }).count()).toBe(1)
        await tab.close()
      }
    },
  )

  it.each(['light', 'dark'] as const)(
    'gives the text of a mail a contrast of 4.5 or more (%s)',
    async (colorScheme) => {
      await mailTo('ada@example.com')
      await open('/_local/mail', { ...desktop, colorScheme })
      await reader().getByRole('heading').waitFor()
      const frame = page.frames()[1]
      const ratios = z.array(z.number()).parse(await frame?.evaluate(contrasts))
      expect(ratios.length).toBeGreaterThan(3)
      expect(ratios.filter((ratio) => ratio < 4.5)).toEqual([])
      expect(await frame?.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        colorScheme === 'dark' ? 'rgb(17, 20, 24)' : 'rgb(243, 244, 246)',
      )
    },
  )

  it('runs no scripts, loads no resources and sends no forms of a mail', async () => {
    const origin = stack.info.base_url
    const html = `<script>top.ran = 1; fetch('/fetched')</script><img src="${origin}/image" onerror="top.ran = 2">
      <link rel="stylesheet" href="${origin}/style"><iframe src="${origin}/frame"></iframe>
      <form action="${origin}/form"><button>Send</button></form>`
    const subject = '</strong><script>window.ran = 3</script><img src=/subject onerror="ran = 4">'
    await mailer.send({ to: 'ada@example.com', subject, text: '</pre><img src=/text>', html })
    await open('/_local/mail')
    await reader().getByRole('button', { name: 'Send' }).click()
    await page.waitForTimeout(300)
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect(await page.locator('#list strong').textContent()).toBe(subject)
    const paths = requested.map((url) => new URL(url).pathname)
    expect(paths.filter((name) => !name.startsWith('/_local/'))).toEqual([])
  })
})

/** The contrast of every element with text of its own, by WCAG 2.2's relative luminance. */
const contrasts = `[...document.querySelectorAll('body *')]
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((element) => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number)
    const luminance = (color) => channels(color).slice(0, 3)
      .map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0)
    let behind = element
    while (channels(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement
    const pair = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor].map(luminance).sort((a, b) => b - a)
    return (pair[0] + 0.05) / (pair[1] + 0.05)
  })`
