import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'

const root = join(import.meta.dirname, '..', '..', '..')

/** The README's steps: each with the words in bold, which a person looks for, and the values as code, in their order. */
function readSteps(): { bold: string[]; code: string[]; address: string | undefined }[] {
  const section = readFileSync(join(root, 'README.md'), 'utf8').split('## Run it\n')[1]?.split('\n## ')[0] ?? ''
  const steps = section.split(/^\d\. /m).slice(1)
  return steps.map((step) => {
    const [words = ''] = step.split('\n\n')
    const all = (pattern: RegExp) => [...words.matchAll(pattern)].map(([, found = '']) => found)
    return { bold: all(/\*\*([^*]+)\*\*/g), code: all(/`([^`]+)`/g), address: /<(http[^>]+)>/.exec(words)?.[1] }
  })
}

/**
 * Does what the README's four steps say, in their order and with their words: every word in bold is found on the page as it is written. Ends in
 * the emulator's page.
 * @param address of the stack, in place of the README's
 * @param seen called with what the picture of a step shows
 */
export async function playReadme(
  page: Page,
  address: string,
  seen: (step: 'lost-answer' | 'buy' | 'charged-once', page: Page) => Promise<void> = async () => {},
): Promise<void> {
  const [lose, choose, pay, look] = readSteps()
  if (!lose || !choose || !pay || !look) throw new Error('README has no four steps')
  // A word that is not on the page fails soon.
  page.setDefaultTimeout(15_000)
  const press = (name = '') => page.getByRole('button', { name, exact: true }).click()
  const follow = (name = '') => page.getByRole('link', { name }).first().click()

  const [emulator, question = '', answer = '', plant, ...moreOfLose] = lose.bold
  expect([lose.address !== undefined, moreOfLose]).toEqual([true, []])
  await page.goto(address)
  await follow(emulator)
  await page.getByLabel(question).selectOption({ label: answer })
  await seen('lost-answer', page)
  await press(plant)
  await page.getByText(/No fault is planted/).waitFor({ state: 'hidden' })
  const emulatorPage = page.url()

  const [signIn, organization, products, add, ...moreOfChoose] = choose.bold
  expect([moreOfChoose, choose.code.length]).toEqual([[], 1])
  await page.goto(address)
  await follow(signIn)
  await follow(organization)
  await page
    .getByRole('navigation')
    .getByRole('link', { name: products ?? '', exact: true })
    .click()
  const offer = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: choose.code[0] ?? '' }) })
  await offer
    .getByRole('button')
    .filter({ hasText: add ?? '' })
    .click()

  const [payButton, active, ...moreOfPay] = pay.bold
  expect([moreOfPay, pay.code.length]).toEqual([[], 1])
  const card = page.frameLocator('iframe[title="Secure card payment input frame"]')
  await card.getByLabel('Card number').fill(pay.code[0] ?? '')
  await card.getByLabel('Expiration date').fill('12 / 34')
  await card.getByLabel('Security code').fill('123')
  await card.getByLabel('Postal code').fill('12345')
  await page.getByRole('button', { name: payButton ?? '', exact: true }).waitFor()
  await seen('buy', page)
  await press(payButton)
  await page
    .getByRole('listitem')
    .filter({ hasText: choose.code[0] ?? '' })
    .getByText(active ?? '')
    .waitFor()

  const [request = '', amount = '', ...moreOfLook] = look.bold
  expect(moreOfLook).toEqual([])
  await page.goto(emulatorPage)
  const [method, path] = request.split(' ')
  const rows = page.getByRole('row').filter({ hasText: new RegExp(`^\\s*${method}\\s*${path}\\s*req_`) })
  await rows.nth(1).waitFor()
  const keys = await rows.locator('td:nth-child(3)').allInnerTexts()
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  await page.getByRole('link', { name: /^Subscriptions\s*1$/ }).waitFor()
  await page.getByRole('link', { name: /^Invoices\s*1$/ }).waitFor()
  await page.getByText(amount).first().waitFor()
  await seen('charged-once', page)
}
