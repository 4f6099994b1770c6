import { expect, it } from '@jest/globals'
import { useTab } from '../support/useTab.ts'
import { openPage } from './openPage.ts'

const { describeInBrowser, opened } = useTab('page/sentInvoices', openPage)

async function buy() {
  const { id: customer } = await opened().stripe.customers.create({ name: 'Ada', email: 'ada@example.com' })
  return opened().stripe.subscriptions.create({
    customer,
    items: [{ price: opened().ota }],
    collection_method: 'send_invoice',
    days_until_due: 14,
  })
}

describeInBrowser('The emulator page, given an invoice that is sent', () => {
  it('shows when it is due, that it is overdue, and marks it as paid', async () => {
    const { id } = await buy()
    const subscription = opened().subscription(id)
    await subscription.locator('.period.draft').waitFor()
    await opened().row('invoices', 'Draft').getByText('due', { exact: true }).waitFor()
    await opened().advance(3600)
    await subscription.getByText(/^Due /).waitFor()
    await opened().row('invoices', 'open').getByText('Mark as paid').waitFor()
    await opened().advance(14 * 86_400)
    await subscription.locator('.period.overdue').waitFor()
    await subscription.getByText('past due', { exact: true }).waitFor()
    await subscription.getByText(/^Overdue since /).waitFor()
    await opened().row('invoices', 'overdue').waitFor()

    await opened()
      .button(/^Mark as paid: \w+-0001$/)
      .click()
    await opened().said('is marked as paid')
    await subscription.getByText('active', { exact: true }).waitFor()
    await opened().row('invoices', 'paid').getByText('$49.00').nth(1).waitFor()
    expect(
      await opened()
        .button(/^Mark as paid/)
        .count(),
    ).toBe(0)
    expect((await opened().stripe.charges.list()).data).toEqual([])
    expect(opened().overheard.errors).toEqual([])
  })

  it.each([360, 1280])('fits %i pixels', async (width) => {
    await buy()
    await opened().advance(3600)
    await opened().page.setViewportSize({ width, height: 740 })
    await opened()
      .button(/^Mark as paid/)
      .waitFor()
    expect(await opened().page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })
})
