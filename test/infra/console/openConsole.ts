import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import * as z from 'zod'
import type { LocalInfo } from '../../../infra/local/info.ts'
import { violations } from '../../support/aws/violations.ts'
import { examinedLooks, looks } from '../../support/browser/looks.ts'
import type { Look } from '../../support/browser/openTabs.ts'

/** A refusal that the page expects is an error in the browser's console all the same. */
const expectedRefusal = /^Failed to load resource: the server responded with a status of (402|409|412|422)\b/

/** What a person may press or fill in that reaches over the edge of its row, table or panel, or of the window. */
const cutOff = `[...document.querySelectorAll('button, a, select, input')]
  .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.matches('.skip'))
  .filter((control) => {
    const { left, right } = control.getBoundingClientRect()
    return left < 0 || right > 1 + (control.closest('.row, .panel, .table')?.getBoundingClientRect().right ?? Infinity)
  })
  .map(({ outerHTML }) => outerHTML)`

const desktop: Look = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }

/** Who signs in. */
interface Account {
  readonly email: string
  readonly password: string
}

/** The console of a stack in a browser of its own: cookies and storage are shared with no other. */
export async function openConsole(browser: Browser, info: LocalInfo, look: Look = desktop, locale = 'en-US') {
  const { viewport, colorScheme } = look
  const context = await browser.newContext({ viewport, colorScheme, locale, reducedMotion: 'reduce' })
  return consoleIn(await context.newPage(), info)
}

export type OpenedConsole = ReturnType<typeof consoleIn>

/** The console in a tab. */
function consoleIn(page: Page, info: LocalInfo) {
  const context = page.context()
  page.setDefaultTimeout(60_000)
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (!expectedRefusal.test(message.text())) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  const base = `${info.base_url}/_local/console`
  const fields = page.frameLocator('iframe[title="Secure card payment input frame"]')
  const bank = page.frameLocator('iframe[title="3D Secure authentication"]')
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const bankButton = (name: string) => bank.getByRole('button', { name, exact: true })
  const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })

  async function fillCard(number: string) {
    await fields.getByLabel('Card number').fill(number)
    await fields.getByLabel('Expiration date').fill('12 / 34')
    await fields.getByLabel('Security code').fill('123')
    await fields.getByLabel('Postal code').fill('12345')
  }

  /** On the hosted page. */
  async function enterPassword({ email, password }: Account): Promise<void> {
    await page.getByLabel('Email address').fill(email)
    await page.locator('input[type=password]').fill(password)
    await button(/^Sign in$/).click()
  }

  /** The page is accessible, quiet in the browser's console, not wider than the window, and no control is cut off. If `SCREENSHOTS` names a folder, takes its picture. */
  async function expectSound(name: string): Promise<void> {
    const folder = process.env.SCREENSHOTS
    if (folder !== undefined)
      await writeFile(join(folder, `${name}.png`), await page.screenshot({ fullPage: true, animations: 'disabled' }))
    const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    // The card field is a frame of Stripe.js.
    const broken = await violations(page, { iframes: false })
    const found = { name, isTooWide, cutOff: await page.evaluate(cutOff), violations: broken, errors }
    expect(found).toEqual({ name, isTooWide: false, cutOff: [], violations: [], errors: [] })
  }

  /** The same in every examined look. */
  async function expectSoundEverywhere(name: string): Promise<void> {
    for (const look of examinedLooks) {
      await page.setViewportSize(look.viewport)
      await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' })
      await expectSound(`${name}-${look.name}`)
    }
    await page.setViewportSize(looks[0].viewport)
  }

  return {
    page,
    context,
    errors,
    button,
    bankButton,
    row,
    heading: (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor(),
    said: (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor(),
    open: (path = '') => page.goto(`${base}/${path}`),
    /** Everything that the page reads is there. */
    loaded: async () => {
      for (const skeleton of await page.locator('.skeleton').all()) await skeleton.waitFor({ state: 'detached' })
    },
    /** Through the menu, as a person would. */
    goTo: async (name: string) => {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    },
    /** Through the hosted pages, from the console's first page. */
    async signIn(user: Account) {
      await button('Sign in').click()
      await enterPassword(user)
    },
    enterPassword,
    /** Forgets refusals with these statuses, which the browser's console names as errors. */
    forgetRefusals(...statuses: number[]) {
      const refusal = new RegExp(`status of (${statuses.join('|')})`)
      const others = errors.filter((error) => !refusal.test(error))
      errors.splice(0, errors.length, ...others)
    },
    /** That of the user who is signed in. */
    accessToken: async (): Promise<string> =>
      z
        .string()
        .parse(
          await page.evaluate(
            'JSON.parse(localStorage[Object.keys(localStorage).find((key) => key.startsWith("console-backend:"))]).accessToken',
          ),
        ),
    /** The same browser, in another tab. */
    inNewTab: async () => consoleIn(await context.newPage(), info),
    fillCard,
    /** Buys a product with a new card until its bank asks about the payment. The bank has asked before, to save the card. */
    async payUntilBankAsks(product: string, price: string) {
      await page.getByLabel('New card').check()
      await fillCard('4000002760003184')
      await button(`Pay ${price}`).click()
      await bankButton('Complete').click()
      await row(product).getByText('Confirmation needed').waitFor()
      await bankButton('Complete').waitFor()
    },
    /** Answers what is posted to a path without its secret, as if the answer that had it was lost. */
    loseSecret: (path: string, member: string) =>
      page.route(path, async (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...Object(await answer.json()), [member]: null } })
      }),
    expectSound,
    expectSoundEverywhere,
    close: () => context.close(),
  }
}
