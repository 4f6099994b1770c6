import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { samplePassword, signUp, tokenMailedTo } from '../../../../infra/local/samples/sampleAccounts.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open } = useStackInBrowser('test/infra/console/account/deletion')
let owner: OpenedConsole
let email: string
beforeAll(async () => {
  if (!runs) return
  email = (await signUp(local())).email
  owner = await open()
})
afterAll(() => owner?.close())

describeInBrowser('An owner in the console', () => {
  it('deletes an organization by typing its name, and restores it', async () => {
    const { page } = owner
    await owner.open()
    await owner.signIn({ email, password: samplePassword })
    await owner.heading('Name your organization')
    await page.getByLabel('Name').fill('Acme Robotics')
    await owner.button('Create organization').click()
    await owner.heading('Products')
    await owner.goTo('Settings')
    await owner.button('Delete organization').click()
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete organization' })
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('Type “Acme Robotics” to confirm').fill('Acme')
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('Type “Acme Robotics” to confirm').fill('Acme Robotics')
    await owner.expectSound('deletion-1-organization')
    await confirm.click()
    await owner.said('Acme Robotics will be deleted on')
    await page.getByText('It will be deleted on').waitFor()
    await owner.expectSound('deletion-2-restore')
    await owner.button('Restore organization').click()
    await owner.said('Acme Robotics is restored')
    await owner.button('Delete organization').waitFor()
  })

  it('takes a copy of the data, and deletes the account by typing the username', async () => {
    const { page } = owner
    await page
      .getByRole('link', { name: 'Profile' })
      .or(page.getByRole('link', { name: email.replace(/@.*/, '') }))
      .first()
      .click()
    await owner.heading('Your profile')
    const download = page.waitForEvent('download')
    await owner.button('Download your data').click()
    const file = await (await download).path()
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ user: { email } })
    await owner.expectSound('deletion-3-profile')
    await owner.button('Delete account').click()
    const word = email.replace(/@.*/, '')
    await page.getByLabel(`Type “${word}” to confirm`).fill(word)
    await owner.expectSound('deletion-4-account')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
    await page.getByText('Your account will be deleted on').waitFor()
    await owner.expectSound('deletion-5-deleted')
  })

  it('keeps the account by the link in the mail, and signs in again', async () => {
    const { page } = owner
    const { base_url } = local().info
    const token = await tokenMailedTo(local(), email)
    await page.goto(`${base_url}/api/auth/link?purpose=restore_account&token=${token}`)
    await owner.heading('Keep your account?')
    await owner.expectSound('deletion-6-keep')
    await owner.button('Keep my account').click()
    await owner.heading('Your account stays')
    await owner.open()
    await owner.signIn({ email, password: samplePassword })
    await page.getByText('Acme Robotics').first().waitFor()
  })
})
