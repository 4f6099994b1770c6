import { expect, it } from '@jest/globals'
import { checkLook } from '../checkLook.ts'
import { OTHER_PASSWORD, PASSWORD } from '../useAccounts.ts'
import { looks, useLinkPages } from './useLinkPages.ts'

const { describeInBrowser, open, forgetful, stack, person, newEmail, mailsTo } = useLinkPages(
  'test/users/accounts/linkPagesInBrowser.deep',
)

describeInBrowser('The pages of links in a browser', () => {
  // [asvs 6.2.6]
  it.each(looks)('are free of what axe-core finds and fit the screen: $name', async (look) => {
    const { link } = await forgetful()
    const { page, heading } = await open({ look, javaScriptEnabled: true })
    const check = (name: string) => checkLook(page, `${name}-${look.name}`)
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
    const check = (name: string) => checkLook(page, `${name}-${look.name}`)
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
