import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { OpenedConsole } from '../openConsole.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open } = useStackInBrowser('test/infra/console/account/twoTabs')
let first: OpenedConsole
let second: OpenedConsole
/** The changes that the first tab has sent. */
let sent: string[]
const demo = () => local().info.demo

/** Two tabs of a browser, in which the first user is signed in. */
beforeEach(async () => {
  if (!runs) return
  first = await open()
  sent = []
  first.page.on('request', (request) => {
    if (request.url().includes('/api/') && !['GET', 'OPTIONS'].includes(request.method())) sent.push(request.url())
  })
  await first.open('profile')
  await first.signIn(demo().owner)
  await first.heading('Your profile')
  second = await first.inNewTab()
  await second.open('profile')
  await second.heading('Your profile')
})
afterEach(() => first?.close())

/** Signs out in the second tab, and in as another user. */
async function signInAsAnother(): Promise<void> {
  const { page, button } = second
  await button('Sign out').click()
  await button('Sign in').waitFor()
  await second.signIn(demo().member)
  await page.getByText(demo().member.email).waitFor()
}

const storedTokens = 'Object.entries(localStorage).find(([key]) => key.startsWith("console-backend:"))'

/** Another user's sign-in takes the place of the first in this browser, without a sign-out before it. */
async function takeOver(): Promise<void> {
  const other = await open()
  await other.open('profile')
  await other.signIn(demo().member)
  await other.heading('Your profile')
  const tokens = JSON.stringify(await other.page.evaluate(storedTokens))
  await other.close()
  await second.page.evaluate(`localStorage.setItem(...${tokens})`)
}

describeInBrowser('A tab that shows a user', () => {
  it('says so when another tab signs out, and sends nothing as whoever signs in there', async () => {
    sent.length = 0
    await signInAsAnother()
    await first.said('You signed out in another tab.')
    expect(sent).toEqual([])
    await first.expectSound('two-tabs-signed-out')
  })

  it('is covered when another user signs in in another tab, until it is reloaded', async () => {
    const { page } = first
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(demo().owner.username)
    sent.length = 0
    await takeOver()
    await page.getByRole('heading', { name: /^You signed in as .+ in another tab$/ }).waitFor()
    await first.expectSound('two-tabs-covered')
    expect(sent).toEqual([])
    await page.getByRole('button', { name: 'Reload' }).click()
    await first.heading('Your profile')
    await page.getByRole('textbox', { name: 'Username' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Username' }).inputValue()).toBe(demo().member.username)
  })
})
