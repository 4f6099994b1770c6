import { afterEach, beforeEach, expect, it } from '@jest/globals'
import * as z from 'zod'
import { samplePassword, signUp, tokenMailedTo } from '../../../../infra/local/samples/sampleAccounts.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open, growOld } = useStackInBrowser('test/infra/console/account/accountChanges')
const NEW_PASSWORD = 'quiet river under 7 bridges'
const mailList = z.array(z.object({ to: z.string(), subject: z.string() }))
let mine: OpenedConsole
let email: string
/** The requests that change an address or a password. */
let sent: string[]

beforeEach(async () => {
  if (!runs) return
  email = (await signUp(local())).email
  mine = await openSignedIn()
  sent = []
  mine.page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname.endsWith('/change')) sent.push(pathname)
  })
})
afterEach(() => mine?.close())

async function openSignedIn(password = samplePassword): Promise<OpenedConsole> {
  const opened = await open()
  await opened.open('security')
  await opened.signIn({ email, password })
  await opened.heading('Security')
  return opened
}

/** The browser's console names the refusals that this is about. */
function expectRefusals(): void {
  const others = mine.errors.filter((error) => !/status of (400|401)/.test(error))
  mine.errors.splice(0, mine.errors.length, ...others)
}

const currentPassword = () => mine.page.getByLabel('Current password')
const newPassword = () => mine.page.getByLabel('New password')
const newAddress = () => mine.page.getByLabel('New email address')

async function changePassword(current: string, next: string): Promise<void> {
  await currentPassword().fill(current)
  await newPassword().fill(next)
  await mine.button('Change password').click()
}

async function openProfile(): Promise<void> {
  await mine.open('profile')
  await mine.heading('Your profile')
}

async function changeAddress(address: string, password = samplePassword): Promise<void> {
  await newAddress().fill(address)
  await currentPassword().fill(password)
  await mine.button('Change email address').click()
}

/** On the hosted page: nothing that was typed in the console is kept in the browser. */
async function signInAgain(secrets: readonly string[]): Promise<void> {
  const { page } = mine
  await page.waitForURL(/oauth\/authorize/)
  await page.locator('input[type=password]').waitFor()
  const kept = JSON.stringify(await page.evaluate('[{ ...sessionStorage }, { ...localStorage }]'))
  expect(kept).toContain('console:kept-action')
  for (const secret of secrets) expect(kept).not.toContain(secret)
  await page.locator('input[type=password]').fill(samplePassword)
  await mine.button(/^Sign in$/).click()
}

/** The text below a field. */
const problemOf = (field: ReturnType<typeof newPassword>) =>
  field.locator('xpath=ancestor::*[contains(@class, "field")][1]').locator('.problem').textContent()

describeInBrowser('The password in the console', () => {
  it('is changed, ends the other sessions, is mailed, and signs in from then on', async () => {
    const other = await openSignedIn()
    await mine.page.reload()
    await mine.button(/^End the session of Console/).waitFor()
    await mine.expectSoundEverywhere('account-1-password')
    await changePassword(samplePassword, NEW_PASSWORD)
    await mine.said('Your password is changed')
    await mine.button(/^End the session of Console/).waitFor({ state: 'detached' })
    expect([await currentPassword().inputValue(), await newPassword().inputValue()]).toEqual(['', ''])
    expect(await mailsTo(email)).toContain('Your password was changed')
    await other.page.reload()
    await other.button('Sign in').waitFor()
    await other.close()
    await (await openSignedIn(NEW_PASSWORD)).close()
  })

  it('says at its field what is wrong, and changes nothing', async () => {
    await changePassword('not my password at all', NEW_PASSWORD)
    await currentPassword().and(mine.page.locator('[aria-invalid]')).waitFor()
    expect(await problemOf(currentPassword())).toBe('The password is wrong.')
    await changePassword(samplePassword, 'password1')
    await newPassword().and(mine.page.locator('[aria-invalid]')).waitFor()
    expect(await problemOf(newPassword())).toMatch(/^Use 8 to 128 characters/)
    expect(await mine.page.locator('.notice.bad').count()).toBe(0)
    expectRefusals()
    await mine.expectSoundEverywhere('account-2-password-refused')
    await (await openSignedIn()).close()
  })

  it('asks for a new sign-in if the last is old, and for the passwords again', async () => {
    await growOld()
    await changePassword(samplePassword, NEW_PASSWORD)
    await signInAgain([samplePassword, NEW_PASSWORD])
    await mine.page.getByText('Enter your passwords again to change it.').waitFor()
    expect([await currentPassword().inputValue(), await newPassword().inputValue()]).toEqual(['', ''])
    expect(sent).toEqual(['/api/auth/password/change'])
    expectRefusals()
    await mine.expectSound('account-3-password-again')
    await changePassword(samplePassword, NEW_PASSWORD)
    await mine.said('Your password is changed')
  })
})

describeInBrowser('The email address in the console', () => {
  it('is changed by the link that is mailed to the new address, as the page says', async () => {
    const address = `new-${email}`
    await openProfile()
    await mine.expectSoundEverywhere('account-4-address')
    await changeAddress(address)
    await mine.page.getByText(`We sent a link to ${address}`).waitFor()
    expect([await newAddress().inputValue(), await currentPassword().inputValue()]).toEqual(['', ''])
    await mine.expectSoundEverywhere('account-5-address-mailed')
    const token = await tokenMailedTo(local(), address)
    const body = { token, password: samplePassword }
    expect(await local().send({ method: 'POST', path: '/api/users/me/email/confirm', body })).toMatchObject({
      status: 200,
    })
    await mine.page.evaluate('dispatchEvent(new Event("visibilitychange"))')
    await mine.page.locator('dd').filter({ hasText: address }).waitFor()
    expect(await mine.page.getByText('We sent a link').count()).toBe(0)
  })

  it('says at its field what is wrong', async () => {
    await openProfile()
    await changeAddress('not an address')
    await newAddress().and(mine.page.locator('[aria-invalid]')).waitFor()
    expect(await problemOf(newAddress())).toBe('This is not an email address.')
    await changeAddress(`new-${email}`, 'not my password at all')
    await currentPassword().and(mine.page.locator('[aria-invalid]')).waitFor()
    expect(await problemOf(currentPassword())).toBe('The password is wrong.')
    expectRefusals()
    await mine.expectSound('account-6-address-refused')
  })

  it('asks for a new sign-in if the last is old, keeps the address, and asks for the password again', async () => {
    const address = `new-${email}`
    await openProfile()
    await growOld()
    await changeAddress(address)
    await signInAgain([samplePassword])
    await mine.page.getByText('Enter your password again to change it.').waitFor()
    expect([await newAddress().inputValue(), await currentPassword().inputValue()]).toEqual([address, ''])
    expect(sent).toEqual(['/api/users/me/email/change'])
    expectRefusals()
    await mine.expectSound('account-7-address-again')
    await currentPassword().fill(samplePassword)
    await mine.button('Change email address').click()
    await mine.page.getByText(`We sent a link to ${address}`).waitFor()
  })
})

/** The subjects of the mails to an address. */
async function mailsTo(address: string): Promise<string[]> {
  const { body } = await local().send({ method: 'GET', path: '/_local/mail.json' })
  return mailList.parse(body).flatMap(({ to, subject }) => (to === address ? [subject] : []))
}
