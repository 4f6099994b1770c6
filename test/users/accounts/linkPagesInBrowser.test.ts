import { expect, it } from '@jest/globals'
import { openTabs } from '../../support/openTabs.ts'
import { useBrowser } from '../../support/useBrowser.ts'
import { violations } from './checkLook.ts'
import { OTHER_PASSWORD, PASSWORD, useAccounts } from './useAccounts.ts'

const { browser, describeInBrowser } = useBrowser('test/users/accounts/linkPagesInBrowser')

const looks = [
  { name: 'desktop, light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 375, height: 740 }, colorScheme: 'dark' },
] as const

const { stack, post, person, stored, newEmail, mailsTo, trySignIn } = useAccounts()
const openTab = openTabs(browser)

/** A page without cookies, its errors, and the origins that it requested. */
async function open(options: { look?: (typeof looks)[number]; javaScriptEnabled: boolean }) {
  const page = await openTab(options.look ?? looks[0], options.javaScriptEnabled)
  const [errors, asked]: [string[], Set<string>] = [[], new Set()]
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('request', (request) => asked.add(new URL(request.url()).origin))
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor()
  return { page, errors, asked, heading }
}

/** A user who forgot the password, with the link in their mail. */
async function forgetful() {
  const someUser = await person()
  await post('/api/auth/password/forgot', { email: someUser.email })
  return { ...someUser, link: /https?:\/\/\S+/.exec(mailsTo(someUser.email)[0]?.text ?? '')?.[0] ?? '' }
}

describeInBrowser('The pages of links in a browser', () => {
  it('reset a password without script, after one that was refused, and load nothing from elsewhere', async () => {
    const { email, userId, link } = await forgetful()
    const { page, errors, asked, heading } = await open({ javaScriptEnabled: false })
    await page.goto(link)
    await heading('Choose a new password')
    await page.getByLabel('New password').fill('password1')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('alert').filter({ hasText: 'common password' }).waitFor()
    await page.getByLabel('New password').fill(OTHER_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await heading('Password changed')
    expect(await trySignIn(email, OTHER_PASSWORD)).toMatchObject({ id: userId })
    expect(await stored(userId)).toMatchObject({ securityRev: 1 })
    await page.goto(link)
    await heading('This link no longer works')
    expect(errors.filter((text) => !/4(00|22) \(/.test(text))).toEqual([])
    expect(asked).toEqual(new Set([stack().baseUrl]))
  })

  // [asvs 6.2.6]
  it.each(looks)('are free of what axe-core finds and fit the screen: $name', async (look) => {
    const { link } = await forgetful()
    const { page, heading } = await open({ look, javaScriptEnabled: true })
    const check = async (name: string) => {
      expect({ name, violations: await violations(page) }).toEqual({ name, violations: [] })
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    await page.goto(link)
    await check('reset')
    await page.getByLabel('New password').fill('password1')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await check('refused password')
    await page.getByLabel('New password').fill(OTHER_PASSWORD)
    await page.keyboard.press('Enter')
    await heading('Password changed')
    await check('done')
    await page.goto(link)
    await check('dead link')
    await page.goto(`${stack().baseUrl}/api/auth/link?purpose=invitation&token=x`)
    await check('invitation')
  })
})

describeInBrowser('The forms that send a mail, in a browser', () => {
  it('send one without script, and load nothing from elsewhere', async () => {
    const [{ email, username }, to] = [await person(), newEmail()]
    const { page, errors, asked, heading } = await open({ javaScriptEnabled: false })
    await page.goto(`${stack().baseUrl}/api/auth/link?purpose=register`)
    await heading('Create an account')
    await page.getByLabel('Email address').fill(to)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').filter({ hasText: 'This username is taken.' }).waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe(to)
    await page.getByLabel('Username').fill(`${username.slice(0, 20)}-2`)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await heading('Check your email')
    await page.goto(`${stack().baseUrl}/api/auth/link?purpose=forgot_password`)
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await heading('Check your email')
    expect([mailsTo(to), mailsTo(email)].map((mails) => mails.map(({ subject }) => subject))).toEqual([
      ['Confirm your email address'],
      ['Reset your password'],
    ])
    expect(errors.filter((text) => !text.includes('409 ('))).toEqual([])
    expect(asked).toEqual(new Set([stack().baseUrl]))
  })

  it.each(looks)('are free of what axe-core finds and fit the screen: $name', async (look) => {
    const { page, heading } = await open({ look, javaScriptEnabled: true })
    const check = async (name: string) => {
      expect({ name, violations: await violations(page) }).toEqual({ name, violations: [] })
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    await page.goto(`${stack().baseUrl}/api/auth/link?purpose=forgot_password`)
    await check('forgot password')
    await page.getByLabel('Email address').fill('user@localhost')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await check('refused address')
    await page.getByLabel('Email address').fill(newEmail())
    await page.keyboard.press('Enter')
    await heading('Check your email')
    await check('sent')
    await page.goto(`${stack().baseUrl}/api/auth/link?purpose=register`)
    await check('register')
    await page.getByLabel('Email address').fill('user@localhost')
    await page.getByLabel('Username').fill('---')
    await page.getByLabel('Password').fill('password1')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').nth(2).waitFor()
    await check('refused registration')
  })
})
