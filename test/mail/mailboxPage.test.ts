import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import * as z from 'zod'
import type { KeptMail } from '../../infra/emulators/ses/startSesServer.ts'
import { mailboxHeaders, mailboxPage } from '../../infra/local/mailboxPage.ts'
import { verifyEmail } from '../../lib/users/mails.ts'
import { findChromium, launchChromium } from '../stripe-page/browser.ts'

const path = findChromium()
if (path === undefined)
  process.stderr.write('test/mail/mailboxPage is skipped: no Chromium found (set CHROMIUM_PATH or install chromium)\n')
const describeInBrowser = path === undefined ? describe.skip : describe

const kept = { id: 'm1', from: 'Console <no-reply@example.com>', sent_at: '2030-01-01T00:00:00Z' }
const requested: string[] = []
let mails: KeptMail[] = []
let server: Server
let origin: string
let browser: Browser

beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(request.url ?? '')
    response.writeHead(200, mailboxHeaders).end(request.url === '/page' ? mailboxPage(mails) : 'landed')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  origin = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
  if (path !== undefined) browser = await launchChromium(path)
})
afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

async function show(shown: KeptMail[], use: (page: Page) => Promise<void>, colorScheme: 'light' | 'dark' = 'light') {
  mails = shown
  requested.length = 0
  const context = await browser.newContext({ colorScheme, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(`${origin}/page`)
  await use(page)
  await context.close()
}

describeInBrowser('The page of the mailbox', () => {
  it('shows a mail as HTML and as text, and its link opens in a tab of its own', async () => {
    const mail = verifyEmail({ to: 'ada@example.com', link: `${origin}/landing?a=1&b=2`, expiresInMinutes: 60 })
    await show([{ ...kept, ...mail }], async (page) => {
      const frame = page.frameLocator('iframe')
      await frame.getByRole('heading', { name: mail.subject }).waitFor()
      expect(await page.locator('pre').textContent()).toBe(mail.text)
      const opened = page.context().waitForEvent('page')
      await frame.getByRole('link', { name: 'Confirm email address' }).click()
      const tab = await opened
      await tab.waitForLoadState()
      expect(tab.url()).toBe(`${origin}/landing?a=1&b=2`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    })
    expect(requested.filter((url) => url !== '/favicon.ico')).toEqual(['/page', '/landing?a=1&b=2'])
  })

  it.each(['light', 'dark'] as const)('gives the text of a mail a contrast of 4.5 or more (%s)', async (scheme) => {
    const mail = verifyEmail({ to: 'ada@example.com', link: `${origin}/x`, expiresInMinutes: 60 })
    const check = async (page: Page) => {
      const frame = page.frames()[1]
      await page.frameLocator('iframe').getByRole('heading').waitFor()
      expect(
        z
          .array(z.number())
          .parse(await frame?.evaluate(contrasts))
          .filter((ratio) => ratio < 4.5),
      ).toEqual([])
      expect(await frame?.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        scheme === 'dark' ? 'rgb(17, 20, 24)' : 'rgb(243, 244, 246)',
      )
    }
    await show([{ ...kept, ...mail }], check, scheme)
  })

  it('runs no scripts, loads no resources and sends no forms of a mail', async () => {
    const html = `<script>top.ran = 1; fetch('/fetched')</script><img src="${origin}/image" onerror="top.ran = 2">
      <link rel="stylesheet" href="${origin}/style"><iframe src="${origin}/frame"></iframe>
      <form action="${origin}/form"><button>Send</button></form>`
    const subject = '</summary><script>window.ran = 3</script><img src=/subject onerror="ran = 4">'
    await show([{ ...kept, to: 'ada@example.com', subject, text: '</pre><img src=/text>', html }], async (page) => {
      await page.frameLocator('iframe').first().getByRole('button', { name: 'Send' }).click()
      await page.waitForTimeout(300)
      expect(await page.evaluate('window.ran')).toBeUndefined()
      expect(await page.locator('summary strong').textContent()).toBe(subject)
    })
    expect(requested.filter((url) => url !== '/favicon.ico')).toEqual(['/page'])
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
