import { expect, it } from '@jest/globals'
import { TOTP } from 'otpauth'
import type { Page, Route } from 'playwright-core'
import * as z from 'zod'
import { texts } from '../../../lib/texts/texts.ts'
import { useBrowser } from '../../support/browser/useBrowser.ts'
import { checkLook, examinedLooks, type LookName, looks } from './checkLook.ts'
import { useHostedPages } from './links/hostedPages.ts'
import { PASSWORD } from './useAccounts.ts'

const { browser, describeInBrowser, opened } = useBrowser('test/users/accounts/securityInBrowser')

const { stack, advance, verified, mailsTo } = useHostedPages()

/** A tab of a browser of its own at the pages of authenticators, whose user has just signed in. */
async function openSecurity({
  look = 'en-desktop-light',
  javaScriptEnabled = true,
  host = 'localhost',
}: {
  look?: LookName
  javaScriptEnabled?: boolean
  host?: string
} = {}) {
  const { email } = await verified()
  const context = await browser().newContext({ ...looks[look], javaScriptEnabled })
  opened.push({ close: () => context.close() })
  // The local stack leads pages to its own address: by these headers it is asked for no page.
  const atAddress = (route: Route) => route.continue({ headers: { ...route.request().headers(), accept: '*/*' } })
  if (host !== 'localhost') await context.route('**/*', atAddress)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const url = new URL('/api/account/security', stack().info.base_url)
  url.hostname = host
  await page.goto(url.href)
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(PASSWORD)
  await page.locator('main button[type=submit]').click()
  await page.waitForURL('**/api/account/security?')
  return { page, email, errors, url: url.href, context }
}

const clockAnswer = z.object({ now: z.number() })

/** The key of a new authenticator app, as it is typed by hand. */
async function keyOn(page: Page): Promise<string> {
  return (await page.locator('code.key').textContent()) ?? ''
}

/** The code that an app with this key shows now. */
async function codeNow(key: string): Promise<string> {
  const response = await fetch(`${stack().info.stripe.api_base}/_emulator/clock`)
  const { now } = clockAnswer.parse(await response.json())
  return new TOTP({ secret: key.replaceAll(' ', '') }).generate({ timestamp: now * 1000 })
}

/** An authenticator that answers at once. Returns how to have it wait for its user, as the sign-in page asks it by itself. */
async function addVirtualAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
  return async () => {
    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
  }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function setUpApp(page: Page): Promise<string> {
  await press(page, 'Set up an authenticator app')
  await heading(page, 'Set up an authenticator app')
  const key = await keyOn(page)
  await page.getByLabel('Code that the app shows').fill(await codeNow(key))
  await press(page, 'Confirm')
  await page.getByText('The authenticator app was set up.').waitFor()
  return key
}

/** Signs in again, with a code of the app. */
async function signInWith(page: Page, key: string): Promise<void> {
  await page.locator('#password').fill(PASSWORD)
  await press(page, 'Sign in')
  await heading(page, 'Confirm that it’s you')
  await advance(60)
  await page.getByLabel('Code from your authenticator app').fill(await codeNow(key))
  await press(page, 'Continue')
  await page.waitForURL('**/api/account/security?*')
}

const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject)

describeInBrowser('The page of authenticators in a browser', () => {
  it('adds a passkey that the browser makes, by keyboard alone, and asks for a second factor from then on', async () => {
    const { page, email, errors } = await openSecurity()
    const waitForUser = await addVirtualAuthenticator(page)
    await press(page, 'Add a passkey')
    await heading(page, 'Add a passkey')
    expect(await page.getByLabel('Name').inputValue()).toBe('Passkey 1')
    await page.getByLabel('Name').fill('Laptop')
    await page.keyboard.press('Enter')
    await page.getByText('The passkey was added.').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Laptop' }).getByText('not used yet').waitFor()
    expect(await subjects(email)).toContain('A passkey was added to your account')
    // Who has just made it has shown it: nothing is asked for again.
    await page.getByRole('link', { name: 'Manage Laptop' }).click()
    await heading(page, 'Laptop')
    await advance(11 * 60)
    await waitForUser()
    await page.reload()
    await page.locator('#password').fill(PASSWORD)
    await press(page, 'Sign in')
    await heading(page, 'Confirm that it’s you')
    expect(errors).toEqual([])
  })

  it('names a passkey, renames and removes it, with mails, after a sign-in with the second factor', async () => {
    const { page, email, errors } = await openSecurity()
    await addVirtualAuthenticator(page)
    const key = await setUpApp(page)
    await advance(11 * 60)
    await press(page, 'Add a passkey')
    await signInWith(page, key)
    await press(page, 'Add a passkey')
    await press(page, 'Create passkey')
    await page.getByRole('link', { name: 'Manage Passkey 1' }).click()
    await page.getByLabel('Name').fill('  ')
    await press(page, 'Save name')
    await page.getByText('Enter a name of 1 to 64 characters.').waitFor()
    await page.getByLabel('Name').fill('Phone')
    await press(page, 'Save name')
    await page.getByText('The passkey was renamed.').waitFor()
    await press(page, 'Add a passkey')
    await press(page, 'Create passkey')
    await page.getByText('This device has a passkey for your account already.').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Manage Phone' }).click()
    await heading(page, 'Phone')
    await press(page, 'Remove passkey')
    await page.getByText('The passkey was removed.').waitFor()
    await page.getByText('No passkeys yet.').waitFor()
    await page.getByRole('link', { name: 'Manage the authenticator app' }).click()
    await press(page, 'Remove authenticator app')
    await page.getByText('The authenticator app was removed.').waitFor()
    expect((await subjects(email)).slice(0, 4)).toEqual([
      'The authenticator app was removed from your account',
      'A passkey was removed from your account',
      'A passkey was added to your account',
      'An authenticator app was added to your account',
    ])
    expect(errors.filter((error) => !error.includes('422'))).toEqual([])
  })

  it('adds a passkey in a browser that reads and writes no JSON of WebAuthn by itself', async () => {
    const { page, errors } = await openSecurity()
    await addVirtualAuthenticator(page)
    await page.addInitScript(`delete PublicKeyCredential.parseCreationOptionsFromJSON
delete PublicKeyCredential.prototype.toJSON`)
    await press(page, 'Add a passkey')
    await press(page, 'Create passkey')
    await page.getByText('The passkey was added.').waitFor()
    expect(errors).toEqual([])
  })

  it('says at an IP address that browsers make no passkeys for it', async () => {
    const { page } = await openSecurity({ host: '127.0.0.1' })
    await press(page, 'Add a passkey')
    await press(page, 'Create passkey')
    await page.getByText('open it as localhost').waitFor()
    expect(await page.getByText('No passkey was created').isVisible()).toBe(false)
  })

  // [threat 120]
  it('sets up an authenticator app by a code, and shows recovery codes once, without script', async () => {
    const { page, email, url } = await openSecurity({ javaScriptEnabled: false })
    await press(page, 'Set up an authenticator app')
    await heading(page, 'Set up an authenticator app')
    const key = await keyOn(page)
    await page.getByLabel('Code that the app shows').fill('000000')
    await press(page, 'Confirm')
    await page.getByText('This code is wrong or has expired').waitFor()
    expect(await keyOn(page)).toBe(key)
    await page.getByLabel('Code that the app shows').fill(await codeNow(key))
    await press(page, 'Confirm')
    await page.getByText('The authenticator app was set up.').waitFor()
    const sections = page.getByRole('heading', { level: 2 })
    expect(await sections.allTextContents()).toEqual(['Recovery codes', 'Passkeys', 'Authenticator app'])
    await press(page, 'Create recovery codes')
    await heading(page, 'Your recovery codes')
    const codes = (await page.getByLabel('Your recovery codes, to copy').inputValue()).split('\n')
    expect(codes.map((code) => /^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/.test(code))).toEqual(Array(10).fill(true))
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByText('Download as a text file').click()])
    expect(file.suggestedFilename()).toBe('recovery-codes.txt')
    await page.getByRole('link', { name: 'I have stored them' }).click()
    await page.getByText('10 of 10 left').waitFor()
    expect(await sections.allTextContents()).toEqual(['Passkeys', 'Authenticator app', 'Recovery codes'])
    expect(await subjects(email)).toContain('New recovery codes for your account')
    for (const shown of [url, `${url}?view=codes`, `${url}?view=totp`]) {
      await page.goto(shown)
      for (const secret of [...codes, key]) expect(await page.content()).not.toContain(secret)
    }
    await page.goto(`${url}?view=codes`)
    await page.getByText('The codes that you have now stop working.').waitFor()
  })

  it('says that passkeys need script where there is none', async () => {
    const { page } = await openSecurity({ javaScriptEnabled: false })
    await press(page, 'Add a passkey')
    await page.getByText('Passkeys need JavaScript').waitFor()
    expect(await page.getByRole('button', { name: 'Create passkey' }).count()).toBe(0)
  })

  it.each(examinedLooks)('meets WCAG 2.2 AA on every page: %s', async (look) => {
    const { page } = await openSecurity({ look })
    const words = texts[looks[look].locale.startsWith('de') ? 'de' : 'en'].security
    await addVirtualAuthenticator(page)
    await checkLook(page, `security-empty-${look}`)
    await press(page, words.passkeys.add)
    await checkLook(page, `security-new-passkey-${look}`)
    await press(page, words.newPasskey.button)
    await page.getByText(words.done.passkey_added).waitFor()
    await checkLook(page, `security-offer-${look}`)
  })

  it.each(examinedLooks)('meets WCAG 2.2 AA on the pages of an app and of codes: %s', async (look) => {
    const { page, url } = await openSecurity({ look })
    const words = texts[looks[look].locale.startsWith('de') ? 'de' : 'en'].security
    const { newTotp, totp, codes, newCodes, done } = words
    await press(page, totp.add)
    const key = await keyOn(page)
    await checkLook(page, `security-new-totp-${look}`)
    await page.getByLabel(newTotp.code).fill(await codeNow(key))
    await press(page, newTotp.button)
    await page.getByText(done.totp_added).waitFor()
    await page.goto(`${url}?view=codes`)
    await heading(page, codes.title)
    await checkLook(page, `security-codes-${look}`)
    await press(page, codes.create)
    await heading(page, newCodes.title)
    await checkLook(page, `security-new-codes-${look}`)
    await page.getByRole('link', { name: newCodes.stored }).click()
    await checkLook(page, `security-all-${look}`)
    await page.goto(`${url}?view=totp`)
    await checkLook(page, `security-totp-${look}`)
  })
})
