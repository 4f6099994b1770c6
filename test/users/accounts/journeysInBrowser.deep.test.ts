import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { emailChangeToken, samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { queryOf } from '../../oauth/authorize/people.ts'
import { startReceiver } from '../../oauth/authorize/receiver.ts'
import { useBrowser } from '../../support/browser/useBrowser.ts'
import { checkLook } from './checkLook.ts'
import { useHostedPages } from './links/hostedPages.ts'
import { OTHER_PASSWORD, PASSWORD } from './useAccounts.ts'

const { browser, describeInBrowser, opened } = useBrowser('test/users/accounts/journeysInBrowser')

const desktop = { width: 1280, height: 800 }
const phone = { width: 375, height: 740 }
const looks = [
  { name: 'en-desktop-light', locale: 'en-US', viewport: desktop, colorScheme: 'light' },
  { name: 'de-phone-dark', locale: 'de-DE', viewport: phone, colorScheme: 'dark' },
] as const
type Look = { locale: string; viewport: typeof desktop; colorScheme: 'light' | 'dark' }

const pages = useHostedPages()
const { stack, client, newcomer, registered, verified, mailsTo, linkMailedTo } = pages

/** A tab of a browser of its own: without cookies, and with an eye on its errors. */
async function openBrowser({
  javaScriptEnabled = true,
  ...look
}: Partial<Look> & { javaScriptEnabled?: boolean } = {}) {
  const context = await browser().newContext({ ...looks[0], ...look, javaScriptEnabled })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  opened.push({ close: () => context.close() })
  return { page, errors, heading: (name: string) => page.getByRole('heading', { level: 1, name }).waitFor() }
}

/** The link mailed to the old address of somebody whose address was changed. */
async function undoableChange(): Promise<string> {
  const account = await signUp(client())
  const token = await emailChangeToken(client(), account)
  const { status } = await client().send({
    method: 'POST',
    path: '/api/users/me/email/confirm',
    body: { token, password: samplePassword },
  })
  expect(status).toBe(200)
  return linkMailedTo(account.email)
}

/** The demo's native client, listening. */
async function openClient() {
  const receiver = await startReceiver()
  opened.push(receiver)
  const redirect_uri = receiver.redirectUri
  return {
    ...receiver,
    query: queryOf({ clientId: stack().info.demo.public_client_id }, { redirect_uri, prompt: 'consent' }),
  }
}

const at = (path: string) => stack().info.base_url + path
async function invite(email: string): Promise<string> {
  const token = (await client().signIn('owner')).access_token
  const { organization_id } = stack().info.demo
  const path = `/api/organizations/${organization_id}/invitations`
  const { status } = await client().send({ method: 'POST', path, token, body: { email, role: 'billing_admin' } })
  expect(status).toBe(202)
  return linkMailedTo(email)
}

describeInBrowser('A journey in a browser', () => {
  it.each([true, false])(
    'leads from a client over a registration and another browser’s mail back to it (script: %s)',
    async (javaScriptEnabled) => {
      const [{ query, responses }, someUser] = [await openClient(), newcomer()]
      const here = await openBrowser({ javaScriptEnabled })
      await here.page.goto(at(`/api/oauth/authorize?${query}`))
      await here.page.getByRole('link', { name: 'Create an account' }).click()
      await here.page.getByLabel('Email address').fill(someUser.email)
      await here.page.getByLabel('Username').fill(someUser.username)
      await here.page.getByLabel('Password').fill(PASSWORD)
      await here.page.getByRole('button', { name: 'Create account' }).click()
      await here.heading('Check your email')

      const there = await openBrowser({ javaScriptEnabled })
      await there.page.goto(at(await linkMailedTo(someUser.email)))
      await there.page.getByLabel('Password').fill(PASSWORD)
      await there.page.getByRole('button', { name: 'Confirm email address' }).click()
      await there.heading('Email address confirmed')
      await there.page.getByRole('link', { name: 'Sign in' }).click()
      await there.page.getByLabel('Email address').fill(someUser.email)
      await there.page.getByLabel('Password').fill(PASSWORD)
      await there.page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await there.page.getByRole('button', { name: 'Allow' }).click()
      await there.heading('Back at the client')
      expect(responses()).toEqual([{ code: expect.any(String), state: 'state of the client', iss: expect.any(String) }])
      expect([...here.errors, ...there.errors]).toEqual([])
    },
  )

  it('makes a newcomer of an invitation a member, from the mail to the application', async () => {
    const someUser = newcomer()
    const { page, errors, heading } = await openBrowser()
    await page.goto(at(await invite(someUser.email)))
    await heading('Join Demo organization')
    expect(await page.evaluate('document.activeElement.id')).toBe('username')
    await page.keyboard.type(someUser.username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await heading('Welcome to Demo organization')
    const link = page.getByRole('link', { name: 'Open Console' })
    expect(await link.getAttribute('href')).toContain(
      `/_local/console?organization_id=${stack().info.demo.organization_id}`,
    )
    expect(await pages.statusOfSignIn(someUser.email, PASSWORD)).toBe(303)
    expect(errors).toEqual([])
  })

  it('shows a password where its user asks for it, and sends it hidden', async () => {
    const { page } = await openBrowser()
    await page.goto(at('/api/auth/link?purpose=register'))
    const field = page.getByLabel('Password')
    const show = page.getByRole('button', { name: 'Show password' })
    await field.fill('short')
    expect(await show.getAttribute('aria-pressed')).toBe('false')
    await field.press('Tab')
    await page.keyboard.press('Space')
    expect([await field.getAttribute('type'), await show.getAttribute('aria-pressed')]).toEqual(['text', 'true'])
    await show.click()
    expect(await field.getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').nth(2).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('email')
    const off = await openBrowser({ javaScriptEnabled: false })
    await off.page.goto(at('/api/auth/link?purpose=register'))
    expect(await off.page.getByRole('button', { name: 'Show password' }).count()).toBe(0)
  })
})

describeInBrowser.each(looks)('Every page in a browser, $name', (look) => {
  it('passes axe-core, fits the screen, and is in one language', async () => {
    const { page } = await openBrowser(look)
    const check = async (name: string) => {
      expect(await page.evaluate('document.documentElement.lang')).toBe(look.locale.slice(0, 2))
      await checkLook(page, `${name}-${look.name}`)
    }
    const submit = () => page.locator('main form button[type=submit]').first().click()
    const submitUntil = async (shown: Locator, name: string) => {
      await submit()
      await shown.waitFor()
      await check(name)
    }
    const open = (path: string) => page.goto(at(path))
    const see = async (path: string, name: string) => {
      await open(path)
      await check(name)
    }
    const [{ query }, someUser, known] = [await openClient(), newcomer(), await verified()]
    const authorize = `/api/oauth/authorize?${query}`
    const signIn = async ({ email }: { email: string }, password: string) => {
      await open(authorize)
      await page.locator('#email').fill(email)
      await page.locator('#password').fill(password)
      await page.locator('main button[type=submit]').last().click()
    }

    await see(authorize, 'sign-in')
    await open(pages.pathOf('register', query))
    await submitUntil(page.getByRole('alert').nth(2), 'register-problems')
    await page.locator('#email').fill(someUser.email)
    await page.locator('#username').fill(someUser.username)
    await page.locator('#password').fill(PASSWORD)
    await submitUntil(page.locator('form.after'), 'mail-sent')
    const link = await linkMailedTo(someUser.email)
    await signIn(someUser, PASSWORD)
    await page.getByRole('alert').waitFor()
    await check('unverified')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await see(link, 'verify-elsewhere')
    await page.locator('#password').fill('a guess at it')
    await submitUntil(page.getByRole('alert').first(), 'verify-wrong-password')
    await page.locator('p.after a').click()
    await page.locator('input[name=choose]').waitFor({ state: 'attached' })
    await check('verify-choose-password')
    // In the browser that registered nothing is asked, and both pages go on by themselves. Without script they wait.
    await page.context().addCookies(cookies)
    const debug = await page.context().newCDPSession(page)
    const setScript = (value: 'off' | 'on') =>
      debug.send('Emulation.setScriptExecutionDisabled', { value: value === 'off' })
    for (const [name, act] of [
      ['verify', () => open(link)],
      ['verified', submit],
    ] as const) {
      await setScript('off')
      await act()
      await page.locator('[data-continue]').waitFor()
      // axe-core needs timers.
      await setScript('on')
      await check(name)
    }
    await see(link, 'used-link')
    await see('/api/auth/link?purpose=reset_password&token=unknown', 'dead-link')
    await page.locator('#email').fill(known.email)
    await submit()
    await page.locator('form.after').waitFor()
    await see(await linkMailedTo(known.email), 'reset')
    await page.locator('#password').fill(OTHER_PASSWORD)
    await submitUntil(page.locator('a.button'), 'reset-done')
    const undo = await undoableChange()
    await see(undo, 'undo')
    await submitUntil(page.locator('a.button'), 'undone')
    await page.locator('a.button').click()
    await page.locator('#password').waitFor()
    await see(undo, 'used-undo')
    // The reset has signed this browser in.
    await page.context().clearCookies()
    await signIn(someUser, PASSWORD)
    await page.locator('button[value=allow]').waitFor()
    await check('consent')
    await see('/api/oauth/logout', 'sign-out')
    await submitUntil(page.locator('a.button'), 'signed-out')

    const guest = newcomer()
    const invitation = await invite(guest.email)
    await see(invitation, 'invitation-register')
    await page.locator('#username').fill('-')
    await submitUntil(page.getByRole('alert').first(), 'invitation-problems')
    const toKnown = await invite(known.email)
    await see(toKnown, 'invitation-sign-in')
    await page.locator('#password').fill('guess')
    await submitUntil(page.getByRole('alert').first(), 'invitation-wrong-password')
    await see(await invite((await registered()).email), 'invitation-claim')
    await page.locator('#username').fill(newcomer().username)
    await page.locator('#password').fill(OTHER_PASSWORD)
    await submitUntil(page.locator('a.button'), 'invitation-done')
    await see(toKnown, 'invitation-other-user')
    await page.context().clearCookies()
    await signIn(known, OTHER_PASSWORD)
    await page.locator('button[value=allow]').waitFor()
    await see(toKnown, 'invitation-accept')
    await see('/api/auth/link?purpose=invitation&token=unknown', 'invitation-unknown')
    await see('/api/oauth/authorize?client_id=unknown', 'unknown-client')

    if (process.env.SCREENSHOTS === undefined) return
    await open(pages.pathOf('forgot_password'))
    await page.locator('#email').fill(known.email)
    await submit()
    const [mail] = await mailsTo(known.email)
    await page.goto('about:blank')
    await page.setContent(mail?.html ?? '')
    await writeFile(join(process.env.SCREENSHOTS, `mail-${look.name}.png`), await page.screenshot({ fullPage: true }))
  })
})
