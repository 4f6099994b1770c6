import type { Page } from 'playwright-core'

/** A tab in which a shop will open: its errors and warnings from now on, and the frames of the card fields and of the bank. */
export function shopTab(page: Page) {
  const errors: string[] = []
  page.removeAllListeners()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  const fields = page.frameLocator('iframe[title="Secure card payment input frame"]')
  const bank = page.frameLocator('iframe[title="3D Secure authentication"]')
  return {
    page,
    errors,
    fields,
    bank,
    bankButton: (name: string) => bank.getByRole('button', { name, exact: true }),
    async fill(number: string, expiry = '12 / 34', cvc = '123', postalCode = '12345') {
      await fields.getByLabel('Card number').fill(number)
      await fields.getByLabel('Expiration date').fill(expiry)
      await fields.getByLabel('Security code').fill(cvc)
      await fields.getByLabel('Postal code').fill(postalCode)
    },
  }
}
