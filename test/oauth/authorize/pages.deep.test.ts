import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { violations } from '../../support/aws/violations.ts'
import { examinedLooks, looks } from '../../support/browser/looks.ts'
import { openTabs } from '../../support/browser/openTabs.ts'
import { useBrowser } from '../../support/browser/useBrowser.ts'
import { useUpGuesses } from '../../support/useUpGuesses.ts'
import { PASSWORD, queryOf, registerClient, registerUser } from './people.ts'
import { startReceiver } from './receiver.ts'

const { browser, describeInBrowser } = useBrowser('test/oauth/authorize/pages')

const stack = useAccountsStack()
const openTab = openTabs(browser)
let folder: string
let context: BrowserContext
let page: Page
let errors: string[]
const receivers: Awaited<ReturnType<typeof startReceiver>>[] = []
let asked: Set<string>

/** A page without cookies, and without script. */
async function open(look: (typeof looks)[number] = looks[0], javaScriptEnabled = false): Promise<void> {
  page = await openTab(look, javaScriptEnabled)
  context = page.context()
  errors = []
  asked = new Set()
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('request', (request) => asked.add(new URL(request.url()).origin))
}

beforeAll(async () => {
  folder = process.env.SCREENSHOTS ?? (await mkdtemp(join(tmpdir(), 'authorize-pages-')))
})
beforeEach(() => open())
afterEach(async () => {
  for (const { close } of receivers.splice(0)) await close()
})
afterAll(async () => {
  if (folder !== undefined && process.env.SCREENSHOTS === undefined) await rm(folder, { recursive: true })
})

const heading = (text: string | RegExp) => page.getByRole('heading', { level: 1, name: text }).waitFor()
const addressOf = (query: string) => `${stack().baseUrl}/api/oauth/authorize?${query}`

async function signIn(email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function openReceiver(next?: string) {
  const receiver = await startReceiver(next)
  receivers.push(receiver)
  return receiver
}

/** A native client with a listener of its own, and a user. */
async function clientAndUser(next?: string) {
  const receiver = await openReceiver(next)
  const redirectUris = ['http://127.0.0.1/callback']
  const client = await registerClient(stack(), { type: 'public', redirectUris, name: 'Console for the desktop' })
  const user = await registerUser(stack())
  const query = queryOf(client, {
    redirect_uri: receiver.redirectUri,
    scope: 'openid profile email offline_access billing:read',
  })
  return { receiver, user, query }
}

/** Takes a picture, and looks whether there is anything in it: an even colour is a few hundred bytes. */
async function expectPicture(name: string): Promise<void> {
  const picture = await page.screenshot({ fullPage: true })
  expect(picture.length).toBeGreaterThan(8000)
  await writeFile(join(folder, `${name}.png`), picture)
}

describeInBrowser('The hosted pages in a browser', () => {
  describe('Given a browser without script', () => {
    // [asvs 3.3.2 3.3.3 3.6.1]
    it('lead through sign-in and consent to the client with code, state and iss', async () => {
      const { receiver, user, query } = await clientAndUser()
      await page.goto(addressOf(query))
      await heading('Sign in')
      await signIn(user.email, 'wrong')
      await page.getByRole('alert').filter({ hasText: 'Incorrect email address or password.' }).waitFor()
      await signIn(user.email)
      await heading('Allow Console for the desktop to use your account?')
      await page.getByRole('button', { name: 'Allow' }).click()
      await heading('Back at the client')
      expect(receiver.responses()).toEqual([{ code: expect.any(String), state: 'state of the client', iss: ISSUER }])
      expect(errors.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([])
      expect(asked).toEqual(new Set([stack().baseUrl, new URL(receiver.redirectUri).origin]))
      const [cookie] = await context.cookies(stack().baseUrl)
      expect(cookie).toMatchObject({ name: '__Host-session', secure: true, httpOnly: true, sameSite: 'Lax', path: '/' })
    })

    it('let a client redirect the browser from its own redirect URI', async () => {
      const elsewhere = await openReceiver()
      const { receiver, user, query } = await clientAndUser(elsewhere.redirectUri.replace('/callback', '/app'))
      await page.goto(addressOf(query))
      await signIn(user.email)
      await page.getByRole('button', { name: 'Allow' }).click()
      await heading('Back at the client')
      expect(receiver.responses()).toHaveLength(1)
    })

    // [asvs 7.4.4]
    it('keep the session for the next request, and end it for another account', async () => {
      const { receiver, user, query } = await clientAndUser()
      await page.goto(addressOf(query))
      await signIn(user.email)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await heading('Back at the client')
      expect(receiver.responses()).toMatchObject([{ error: 'access_denied' }])
      await page.goto(addressOf(query))
      await page.getByText(user.email).waitFor()
      await page.getByRole('button', { name: 'Use another account' }).click()
      await heading('Sign in')
      expect(await page.getByLabel('Email address').inputValue()).toBe('')
    })

    // [asvs 3.4.6] [threat 36]
    it('are not shown in a frame of another site', async () => {
      const { receiver, query } = await clientAndUser()
      await page.goto(receiver.redirectUri)
      await page.setContent(`<iframe src="${addressOf(query)}"></iframe>`)
      await page.waitForTimeout(500)
      const [, frame] = page.frames()
      expect(await frame?.getByLabel('Password').count()).toBe(0)
    })
  })

  describe.each(examinedLooks)('Given $name', (look) => {
    it('pass axe-core, fit the screen, and are styled', async () => {
      await open(look, true)
      const { user, query } = await clientAndUser()
      const check = async (name: string) => {
        expect({ name, violations: await violations(page) }).toEqual({ name, violations: [] })
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
        await expectPicture(`${name}-${look.name}`)
      }
      await page.goto(addressOf(query))
      await check('sign-in')
      await signIn(user.email, 'wrong')
      await page.getByRole('alert').waitFor()
      await check('wrong-password')
      await signIn(user.email)
      await heading(/^Allow/)
      await check('consent')
      await page.goto(addressOf(`${query}&prompt=select_account`))
      await heading('Choose an account')
      await check('choose-account')
      await page.goto(addressOf('client_id=unknown'))
      await check('unknown-client')
      await page.goto(addressOf(`${query}&redirect_uri=x`))
      await check('untrusted-redirect')
      await context.clearCookies()
      await page.goto(addressOf(query))
      await context.clearCookies()
      await signIn(user.email)
      await heading('Please start again')
      await check('start-again')
      await page.getByRole('link', { name: 'Try again' }).click()
      await heading('Sign in')
      const throttled = page.getByText('too many attempts')
      await useUpGuesses(stack().guesses, { kind: 'account', subject: emailKey(user.email) }, stack().clock.now())
      await signIn(user.email, 'wrong')
      await throttled.waitFor()
      await check('too-many-attempts')
    })
  })

  describe('Given only a keyboard', () => {
    it('can be used: the first field has the focus, every control is reached and shows its focus', async () => {
      await open(looks[0], true)
      const { user, query } = await clientAndUser()
      await page.goto(addressOf(query))
      expect(await page.evaluate('document.activeElement.id')).toBe('email')
      await page.keyboard.type(user.email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await heading(/^Allow/)
      const seen: unknown[] = []
      for (let control = 0; control < 3; control += 1) {
        await page.keyboard.press('Tab')
        seen.push(
          await page.evaluate('[document.activeElement.value, getComputedStyle(document.activeElement).outlineStyle]'),
        )
      }
      expect(seen).toEqual([
        ['switch', 'solid'],
        ['allow', 'solid'],
        ['deny', 'solid'],
      ])
    })
  })
})
