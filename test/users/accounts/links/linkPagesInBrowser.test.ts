import { expect, it } from '@jest/globals'
import { OTHER_PASSWORD } from '../useAccounts.ts'
import { useLinkPages } from './useLinkPages.ts'

const { describeInBrowser, open, forgetful, stack, stored, trySignIn } = useLinkPages(
  'test/users/accounts/linkPagesInBrowser',
)

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
})
