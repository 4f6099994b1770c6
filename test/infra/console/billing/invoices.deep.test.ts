import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as z from 'zod'
import { sendInvoicesTo } from '../../../../infra/local/samples/sampleInvoices.ts'
import { createEmulator } from '../../../support/emulator.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const HOUR = 3600
const DAY = 24 * HOUR

const { describeInBrowser, runs, local, open } = useStackInBrowser('test/infra/console/billing/invoices')
let owner: OpenedConsole
let organizationId: string
let own: string
let products: string
beforeAll(async () => {
  if (!runs) return
  organizationId = await local().newOrganization()
  own = `organizations/${organizationId}`
  products = `${own}/products`
  await sendInvoicesTo(local().info, organizationId, 7)
  owner = await open()
  await owner.open()
  await owner.signIn(local().info.demo.owner)
  await owner.heading('Your organizations')
  await owner.open(products)
})
afterAll(() => owner?.close())

/** Lets time pass for the payment provider, the service and the browser, and shows a page of the organization then. */
async function showLater(seconds: number, path = products): Promise<void> {
  const emulator = createEmulator(local().info.stripe.api_base)
  await emulator.advance(seconds)
  await local().deliverWebhooks()
  await owner.page.clock.setSystemTime((await emulator.now()) * 1000)
  await owner.open(path)
}

const entitlementsAnswer = z.object({ entitlements: z.array(z.object({ product: z.string(), active: z.boolean() })) })

/** The products that the organization may use. */
async function entitled(): Promise<string[]> {
  const path = `/api/billing/entitlements?organization_id=${organizationId}`
  const { body } = await local().send({ method: 'GET', path, token: await local().accessToken('owner') })
  return entitlementsAnswer.parse(body).entitlements.flatMap(({ product, active }) => (active ? [product] : []))
}

/** The transfers have arrived: the operator marks every open invoice as paid. */
async function transfersArrive(): Promise<void> {
  const { data } = await local().stripe.invoices.list({ status: 'open' })
  for (const { id } of data) await local().stripe.invoices.pay(id, { paid_out_of_band: true })
  await local().deliverWebhooks()
}

const toPay = () => owner.page.getByRole('region', { name: 'To pay' })
const subscription = (name: string) =>
  owner.page.getByRole('region', { name: 'Your subscriptions' }).getByRole('listitem').filter({ hasText: name })

describeInBrowser('An organization that is sent invoices', () => {
  it('is shown which billing details are missing, and keeps its order while it fills them in', async () => {
    const { page } = owner
    await owner.button('Add Over-the-air updates to the order').click()
    await owner.button('Add Monitoring to the order').click()
    await page.getByText('we need an email address and an address').waitFor()
    expect(await owner.button('Buy by invoice').getAttribute('aria-disabled')).toBe('true')
    await owner.expectSoundEverywhere('1-details-missing')
    await page.getByRole('link', { name: 'Fill in billing details' }).click()
    await page.getByLabel('Email address').fill('accounting@example.com')
    await page.getByLabel('Country').selectOption('DE')
    await page.getByLabel('Street and number').fill('Lindenstraße 1')
    await page.getByLabel('Postal code').fill('10969')
    await page.getByLabel('City').fill('Berlin')
    await owner.button('Save details').click()
    await owner.said('Your billing details are saved')
    await owner.expectSound('2-details')
    await page.getByRole('link', { name: 'Back to your order' }).click()
    await page.getByRole('complementary').getByText('$68.00').waitFor()
  })

  it('buys without a card, and may use the products at once', async () => {
    const { page } = owner
    await page.getByText('We send you invoices by email, and you pay them by bank transfer.').waitFor()
    expect(await page.getByText(/\bcard\b/i).count()).toBe(0)
    await owner.expectSoundEverywhere('3-order')
    await owner.button('Buy by invoice').click()
    await owner.said('Bought: Over-the-air updates, Monitoring')
    await subscription('Monitoring').getByText('Active').waitFor()
    await toPay().getByText('Nothing to pay.').waitFor()
    expect(await entitled()).toEqual(['ota', 'monitoring'])
    await owner.expectSound('4-bought')
  })

  it('finds on the page of cards that it needs none', async () => {
    await owner.goTo('Cards')
    await owner.page.getByText('Your organization pays by invoice, without a card').waitFor()
    expect(await owner.button(/card/i).count()).toBe(0)
    await owner.expectSoundEverywhere('5-cards')
  })

  it('sees an hour later first what is to be paid, until when and where', async () => {
    await showLater(HOUR + 60)
    const rows = toPay().getByRole('listitem')
    await rows
      .filter({ hasText: 'Monitoring' })
      .getByText(/^[67] days left$/)
      .waitFor()
    await rows.filter({ hasText: 'Over-the-air updates' }).getByText('$49.00').waitFor()
    expect(await owner.page.getByRole('heading', { level: 2 }).first().textContent()).toBe('To pay')
    const link = subscription('Monitoring').getByRole('link', { name: 'Pay invoice' })
    const address = (await link.getAttribute('href')) ?? ''
    expect(await rows.getByRole('link').evaluateAll((links) => links.map(({ href }) => href))).toContain(address)
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await link.getAttribute('rel')).toContain('noopener')
    expect((await fetch(address)).status).toBe(200)
    await owner.expectSoundEverywhere('6-open')
    await owner.goTo('Invoices')
    await rows
      .first()
      .getByText(/days left/)
      .waitFor()
    await owner.expectSoundEverywhere('7-invoices')
  })

  it('shows its members that invoices are paid, without a way to one', async () => {
    const member = await open()
    await member.open(products)
    await member.signIn(local().info.demo.member)
    await member.page.getByText('Your organization pays invoices by bank transfer.').waitFor()
    await member.row('Monitoring').getByText('An invoice is open.').waitFor()
    expect(await member.page.getByRole('main').getByRole('link').allTextContents()).toEqual(['See who they are'])
    await member.expectSoundEverywhere('8-member')
    await member.close()
  })

  it('has nothing to pay once the transfers have arrived', async () => {
    await transfersArrive()
    await owner.open(products)
    await toPay().getByText('Nothing to pay.').waitFor()
    await subscription('Monitoring')
      .getByText(/^Next invoice: \$19\.00 on/)
      .waitFor()
    expect(await owner.page.getByRole('link', { name: /Pay invoice/ }).count()).toBe(0)
    await owner.goTo('Invoices')
    await owner.page.getByRole('row', { name: /Monitoring .* Paid \$19\.00/ }).waitFor()
  })

  it('sees which invoice is overdue, and that the product still works', async () => {
    await owner.open(products)
    await owner.button('Add Crash reporting to the order').click()
    await owner.button('Buy by invoice').click()
    await owner.said('Bought: Crash reporting')
    await showLater(8 * DAY)
    await toPay().getByText('Overdue by 1 day').waitFor()
    await subscription('Crash reporting').getByText('Invoice overdue').waitFor()
    await subscription('Crash reporting').getByText('The product still works: pay the invoice to keep it.').waitFor()
    expect(await entitled()).toContain('crash_reporting')
    await owner.expectSoundEverywhere('9-overdue')
    await transfersArrive()
    // Back from the invoice's page in another tab.
    await owner.page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await toPay().getByText('Nothing to pay.').waitFor()
    await subscription('Crash reporting').getByText('Active').waitFor()
  })
})
