import { afterAll, beforeAll, it } from '@jest/globals'
import { checkPicture } from '../checkPicture.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { shopperOf } from '../sellProducts.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open } = useStackInBrowser('test/infra/console/pages/pictures')
let owner: OpenedConsole
beforeAll(async () => {
  if (!runs) return
  const { organizationId, buy, cancel, rename } = await shopperOf(local())
  await rename('Acme Robotics')
  await buy('pm_card_visa', 'base_ota', 'addon_crash_reporting')
  await cancel('crash_reporting')
  owner = await open()
  await owner.open(`organizations/${organizationId}/products`)
  await owner.signIn(local().info.demo.owner)
})
afterAll(() => owner?.close())

describeInBrowser('The pictures in README', () => {
  it('show an order beside the subscriptions', async () => {
    await owner.button('Add Monitoring to the order').click()
    await owner.button('Add Remote SSH to the order').click()
    await owner.button('Pay $48.00').waitFor()
    await checkPicture(owner.page, 'console/screenshots/billing.png')
    await owner.button('Remove Remote SSH').click()
  })

  it('show the bank’s question', async () => {
    await owner.payUntilBankAsks('Monitoring', '$19.00')
    await checkPicture(owner.page, 'console/screenshots/confirmation.png')
    await owner.bankButton('Complete').click()
    await owner.row('Monitoring').getByText('Active').waitFor()
  })

  it('show the page of the Stripe emulator after a month', async () => {
    const { page } = await owner.inNewTab()
    await page.goto(`${local().info.stripe.api_base}/_emulator/`)
    for (const step of ['+1 month', '+1 day']) {
      await page.getByRole('button', { name: step }).click()
      await page.locator('#status.shown', { hasText: 'It is now' }).waitFor()
      await page.locator('#status:not(.shown)').waitFor({ state: 'attached' })
    }
    await checkPicture(page, 'emulators/stripe/page/screenshot.png')
  })
})
