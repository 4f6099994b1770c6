import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as z from 'zod'
import { createEmulator } from '../../../support/emulator.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }))

const ada = { email: 'ada@acme.example', username: 'ada', password: 'of-gears-and-punched-cards-1843' }
const grace = { email: 'grace@acme.example', username: 'grace', password: 'a-moth-in-relay-panel-70' }

/**
 * Tells what a customer does in the console, a test for each step.
 * @param file the test file's path without its ending
 */
export function tellCustomerStory(file: string, part: 'the first purchase' | 'all'): void {
  const { describeInBrowser, runs, local, open } = useStackInBrowser(file)
  let owner: OpenedConsole
  let organizationId: string
  beforeAll(async () => {
    if (runs) owner = await open()
  })
  afterAll(() => owner?.close())

  /** The link of the newest mail to an address. */
  async function mailedLink(to: string): Promise<string> {
    const sent = mails.parse((await local().send({ method: 'GET', path: '/_local/mail.json' })).body)
    return sent.find((mail) => mail.to === to)?.text.match(/https?:\/\/\S+/)?.[0] ?? ''
  }

  /** What the payment provider knows of the organization's subscriptions, by product. */
  async function charged(): Promise<string[]> {
    const { data } = await local().stripe.subscriptions.list({ status: 'all', limit: 100 })
    return data
      .filter(({ metadata }) => metadata.organization_id === organizationId)
      .map(({ metadata }) => metadata.product ?? '')
      .toSorted()
  }

  describeInBrowser('A customer in the console', () => {
    it('signs up in four screens: password, mail, name of the organization, products', async () => {
      const { page } = owner
      const screens: string[] = []
      const screen = async (name: string) => {
        await owner.heading(name)
        screens.push(name)
      }
      await owner.open()
      await owner.button('Sign in').waitFor()
      await owner.expectSound('1-welcome')
      await owner.button('Sign in').click()
      await page.getByRole('link', { name: 'Create an account' }).click()
      await screen('Create an account')
      await page.getByLabel('Email address').fill(ada.email)
      await page.getByLabel('Username').fill(ada.username)
      await page.getByLabel('Password').fill(ada.password)
      await owner.button('Create account').click()
      await screen('Check your email')
      // A mail program opens a tab of its own. Nothing has to be pressed there until the console asks for the name.
      await page.close()
      owner = await owner.inNewTab()
      await owner.page.goto(await mailedLink(ada.email))
      await screen('Name your organization')
      await owner.expectSound('2-organizations')
      await owner.page.getByLabel('Name').fill('Acme Robotics')
      await owner.button('Create organization').click()
      await screen('Products')
      expect(screens).toHaveLength(4)
      organizationId = /organizations\/([0-9a-f-]{36})\/products$/.exec(owner.page.url())?.[1] ?? ''
      expect(organizationId).not.toBe('')
      await owner.page.getByText('No subscriptions yet').waitFor()
      await owner.expectSound('3-no-subscriptions')
    })

    it('adds a card, which becomes the default', async () => {
      await owner.goTo('Cards')
      await owner.button('Add a card').click()
      await owner.fillCard('4242424242424242')
      await owner.expectSound('4-add-card')
      await owner.button('Add card').click()
      await owner.row('Visa ending in 4242').getByText('Default').waitFor()
      await owner.expectSound('5-cards')
    })

    it('sees what an order costs with a coupon, and buys it once with a double click', async () => {
      await owner.goTo('Products')
      await owner.button('Add Over-the-air updates to the order').click()
      await owner.button('Pay $49.00').waitFor()
      await owner.button('Add a coupon').click()
      await owner.page.getByLabel('Coupon').fill('NOSUCHCOUPON')
      await owner.button('Apply').click()
      await owner.page.getByText('This coupon is unknown.').waitFor()
      await owner.button('Remove coupon').click()
      await owner.button('Add a coupon').click()
      await owner.page.getByLabel('Coupon').fill('WELCOME25')
      await owner.page.keyboard.press('Enter')
      await owner.button('Pay $36.75').waitFor()
      await owner.page.getByText('$12.25 off with the coupon').waitFor()
      await owner.button('Add Monitoring to the order').click()
      await owner.page.getByText('works once per person and for one product: here for Over-the-air updates').waitFor()
      await owner.page.getByText('Buy this one next, at the full price.').waitFor()
      await owner.expectSound('6-order')
      await owner.button('Remove Monitoring').click()
      await owner.page.getByText('works once per person').waitFor({ state: 'detached' })
      await owner.button('Pay $36.75').waitFor()
      await owner.button('Pay $36.75').dblclick()
      await owner.said('Bought: Over-the-air updates')
      await owner.row('Over-the-air updates').getByText('Active').waitFor()
      expect(await charged()).toEqual(['ota'])
      await owner.expectSound('7-bought')
    })
    if (part === 'the first purchase') return

    it('finishes 3-D Secure after a reload in the middle of it', async () => {
      await owner.button('Add Monitoring to the order').click()
      await owner.payUntilBankAsks('Monitoring', '$19.00')
      await owner.page.reload()
      await owner.row('Monitoring').getByText('Your bank asks you to confirm the payment.').waitFor()
      await owner.expectSound('8-confirmation-needed')
      await owner.button('Confirm payment of Monitoring').click()
      await owner.bankButton('Complete').click()
      await owner.said('Monitoring is paid')
      await owner.row('Monitoring').getByText('Active').waitFor()
      expect(await charged()).toEqual(['monitoring', 'ota'])
    })

    it('reads at the line why a card was declined, and buys with another one', async () => {
      await owner.button('Add Crash reporting to the order').click()
      await owner.page.getByLabel('New card').check()
      await owner.fillCard('4000000000000341')
      await owner.button('Pay $15.00').click()
      const line = owner.page.getByRole('complementary').getByRole('listitem').filter({ hasText: 'Crash reporting' })
      await line.getByText(/declined/).waitFor()
      await owner.expectSound('9-declined')
      await owner.page.getByLabel('Visa ending in 4242').check()
      await owner.button('Pay $15.00').click()
      await owner.row('Crash reporting').getByText('Active').waitFor()
      await owner.button('Done').click()
      await owner.page.getByText('Your order is empty.').waitFor()
    })

    it('pays with another card after the bank has refused the first one', async () => {
      await owner.button('Add Remote SSH to the order').click()
      await owner.page.getByLabel('Visa ending in 3184').check()
      await owner.button('Pay $29.00').click()
      await owner.bankButton('Fail').click()
      const row = owner.row('Remote SSH')
      await row.getByText('Payment failed').waitFor()
      await row.getByRole('button', { name: 'Pay now for Remote SSH' }).click()
      await row.getByLabel('Visa ending in 4242').check()
      await owner.expectSound('9b-pay')
      await row.getByRole('button', { name: 'Pay now', exact: true }).click()
      await row.getByText('Active').waitFor()
      await owner.page.getByRole('complementary').getByText('Bought').waitFor()
      expect((await charged()).filter((product) => product === 'remote_ssh')).toHaveLength(1)
    })

    it('cancels a product, reads until when it works, and takes that back', async () => {
      await owner.button('Cancel Over-the-air updates').click()
      const dialog = owner.page.getByRole('dialog', { name: 'Cancel Over-the-air updates?' })
      await dialog.getByText(/keeps working until \w+ \d+, \d{4}/).waitFor()
      await owner.expectSound('10-cancel')
      await owner.page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(await owner.page.evaluate('document.activeElement.textContent')).toBe('Cancel')
      await owner.button('Cancel Over-the-air updates').click()
      await owner.button('Cancel subscription').click()
      await owner
        .row('Over-the-air updates')
        .getByText(/Canceled. Works until/)
        .waitFor()
      await dialog.waitFor({ state: 'detached' })
      expect(await owner.page.evaluate('document.activeElement.textContent')).toBe('Products')
      await owner.button('Resume Over-the-air updates').click()
      await owner
        .row('Over-the-air updates')
        .getByText(/Renews on/)
        .waitFor()
    })

    it('finds the invoices, each with a page of its own', async () => {
      await owner.goTo('Invoices')
      await owner.page.getByRole('row', { name: /Monitoring .* Paid \$19\.00/ }).waitFor()
      await owner.page.getByRole('row', { name: /Over-the-air updates .* Paid \$36\.75/ }).waitFor()
      await owner.expectSound('11-invoices')
      const links = await owner.page.getByRole('link', { name: /View invoice/ }).all()
      expect(links.length).toBeGreaterThanOrEqual(3)
      const page = await fetch((await links[0]?.getAttribute('href')) ?? '')
      expect(page.status).toBe(200)
    })

    it('is shown what is wrong with the billing details at its field, and what changed elsewhere', async () => {
      await owner.goTo('Billing details')
      const email = owner.page.getByLabel('Email address')
      await email.fill('nonsense')
      await owner.button('Save details').click()
      await owner.page.getByText('This is not an email address.').waitFor()
      expect(await email.getAttribute('aria-invalid')).toBe('true')
      await owner.expectSound('12-details-refused')
      await email.fill('billing@acme.example')
      const token = await owner.accessToken()
      const path = `/api/billing/details?organization_id=${organizationId}`
      await local().send({ method: 'PATCH', path, token, body: { name: 'Acme Robotics Inc.' } })
      await owner.button('Save details').click()
      await owner.page.getByText('The details were changed elsewhere').waitFor()
      expect(await owner.page.getByLabel('Name').inputValue()).toBe('Acme Robotics Inc.')
      await owner.button('Save details').click()
      await owner.said('Your billing details are saved')
      const { body } = await local().send({ method: 'GET', path, token })
      expect(body).toMatchObject({ name: 'Acme Robotics Inc.', email: 'billing@acme.example' })
    })

    it('invites a member, who joins by the mail and sees what there is without buttons that buy', async () => {
      await owner.goTo('Members')
      await owner.page.getByLabel('Email address').fill(grace.email)
      await owner.button('Send invitation').click()
      await owner.page.getByRole('heading', { name: grace.email }).waitFor()
      await owner.expectSound('13-members')

      const guest = await open()
      await guest.page.goto(await mailedLink(grace.email))
      await guest.heading('Join Acme Robotics')
      await guest.page.getByLabel('Username').fill(grace.username)
      await guest.page.getByLabel('Password').fill(grace.password)
      await guest.page.getByLabel('Password').press('Enter')
      await guest.page.getByRole('link', { name: 'Open Console' }).click()
      // Without the password again: the invitation has signed her in.
      await guest.button('Sign in').click()
      await guest.heading('Overview')
      await guest.row('Monitoring').getByText('Active').waitFor()
      await guest.row('Remote SSH').waitFor()
      expect(await guest.button(/^(Add|Cancel|Pay|Buy|Resume)/).count()).toBe(0)
      expect(
        await guest.page.getByRole('navigation', { name: 'Organization' }).getByRole('link').allTextContents(),
      ).toEqual(['Overview', 'Products', 'Members', 'Settings'])
      await guest.expectSound('14-member')
      await guest.close()
    })

    it('reads who changed what, and signs out', async () => {
      await owner.goTo('Activity')
      await owner.page.getByText('grace joined as a member').waitFor()
      await owner.page.getByText('ada bought Over-the-air updates with the coupon WELCOME25').waitFor()
      await owner.expectSound('15-activity')
      await owner.button('Sign out').click()
      await owner.heading('Everything your devices need, in one place')
    })

    it('pays what a renewal could not charge, with a card that becomes the default', async () => {
      const client = local()
      await owner.open(`organizations/${organizationId}/products`)
      await owner.signIn(ada)
      await owner.heading('Products')
      const token = await owner.accessToken()
      const query = `organization_id=${organizationId}`
      const broken = await client.addCard({ token, organizationId, testCard: 'pm_card_chargeCustomerFail' })
      await client.send({ method: 'POST', path: `/api/billing/payment-methods/${broken}/default?${query}`, token })
      await createEmulator(local().info.stripe.api_base).advance(32 * 86_400)
      await owner.page.reload()
      await owner.button('Sign in').waitFor()
      await owner.page.getByText('The sign-in has expired.').waitFor()
      // The token, refused for each read of the page, and its refused refresh.
      const statuses = owner.errors.splice(0).map((error) => /status of (\d+)/.exec(error)?.[1])
      expect(statuses.sort().reverse()).toEqual([...Array(statuses.length - 1).fill('401'), '400'])
      await owner.signIn(ada)
      const row = owner.row('Over-the-air updates')
      await row.getByText('Payment overdue').waitFor()
      await owner.expectSound('16-overdue')
      await row.getByRole('button', { name: 'Pay now for Over-the-air updates' }).click()
      await row.getByLabel('Visa ending in 4242').check()
      await row.getByRole('button', { name: 'Pay now', exact: true }).click()
      await row.getByText('Active').waitFor()
      await owner.goTo('Cards')
      await owner.row('Visa ending in 4242').getByText('Default').waitFor()
    })
  })
}
