import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createEmulator } from '../../../support/emulator.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { shopperOf } from '../sellProducts.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open, own } = useStackInBrowser('test/infra/console/pages/overview')
const DAY = 86_400
let owner: OpenedConsole
beforeAll(async () => {
  if (!runs) return
  await furnish()
  owner = await openNow()
  await owner.open(own())
  await owner.signIn(local().info.demo.owner)
})
afterAll(() => owner?.close())

/** Three months of a product, one that ended after the first, a payment that waits for 3-D Secure, and an invitation. */
async function furnish(): Promise<void> {
  const first = await shopperOf(local())
  await first.buy('pm_card_visa', 'base_ota', 'addon_crash_reporting')
  await first.cancel('crash_reporting')
  await createEmulator(local().info.stripe.api_base).advance(65 * DAY)
  await local().deliverWebhooks()
  const { organizationId, buy, post } = await shopperOf(local())
  await buy('pm_card_authenticationRequired', 'addon_monitoring')
  await post(`/api/organizations/${organizationId}/invitations`, { email: 'grace@acme.example', role: 'member' })
}

/** A browser whose clock is the stack's. */
async function openNow(): Promise<OpenedConsole> {
  const opened = await open()
  await opened.page.clock.setSystemTime((await createEmulator(local().info.stripe.api_base).now()) * 1000)
  return opened
}

const region = (name: RegExp | string) => owner.page.getByRole('region', { name })
const months = () => owner.page.getByRole('table', { name: /^(Spend by month|Ausgaben nach Monat)$/ }).getByRole('row')

describeInBrowser('The overview of an organization', () => {
  it('shows its owner what it has, what it costs, what needs attention and who did what last', async () => {
    await owner.heading('Overview')
    await owner.loaded()
    const attention = region(/^Needs attention/)
    await attention.getByText('Your bank asks you to confirm the payment.').waitFor()
    await attention.getByText('1 invitation is open').waitFor()
    expect(await attention.getByRole('listitem').count()).toBe(2)
    await owner.page.getByText('$49.00 / month').first().waitFor()
    await owner.page.getByText(/^\$49\.00 on \w+ \d+, \d{4}$/).waitFor()
    const held = region(/^Your subscriptions/)
    await held.getByText(/^Renews on .* for \$49\.00$/).waitFor()
    await held.getByText('$19.00 / month').waitFor()
    await region('Last changes').getByText('invited someone as a member').waitFor()
    await owner.expectSoundEverywhere('overview')
  })

  it('draws the spend of twelve months, with a table in its place for screen readers', async () => {
    await region('Spend').getByText('$162.00 in the last twelve months').waitFor()
    const amounts = (await months().allTextContents()).map((text) => /\d{4}\D(.*)$/.exec(text)?.[1] ?? text)
    expect(amounts).toHaveLength(13)
    expect(amounts.filter((amount) => amount !== '0.00').slice(1)).toEqual(['64.00', '49.00', '49.00'])
    expect(await region('Spend').locator('rect').count()).toBe(12)
  })

  it('is in German, too', async () => {
    await owner.page.getByLabel('Language').selectOption('de')
    await owner.heading('Übersicht')
    await region('Ausgaben')
      .getByText(/^162,00\s\$ in den letzten zwölf Monaten$/)
      .waitFor()
    expect(await months().count()).toBe(13)
    await owner.expectSoundEverywhere('overview-german')
    await owner.page.getByLabel('Sprache').selectOption('en')
    await owner.heading('Overview')
  })

  it('leads from what needs attention to the page that solves it', async () => {
    await owner.page.getByRole('link', { name: 'Solve the payment of Monitoring' }).click()
    await owner.button('Confirm payment of Monitoring').waitFor()
    expect(new URL(owner.page.url()).pathname).toMatch(new RegExp(`/${own()}/products$`))
  })

  it('shows a member the products, without money that is not the role’s to see', async () => {
    const member = await openNow()
    await member.open(own())
    await member.signIn(local().info.demo.member)
    await member.row('Over-the-air updates').getByText('Active').waitFor()
    await member.loaded()
    const titles = await member.page.getByRole('heading', { level: 2 }).allTextContents()
    expect(titles.map((title) => title.replace(/ \d+$/, ''))).toEqual(['Your subscriptions'])
    await member.page.getByRole('link', { name: 'See products' }).waitFor()
    await member.expectSoundEverywhere('overview-member')
    await member.close()
  })

  it('of a new organization leads to the products', async () => {
    await owner.open('organizations/new')
    await owner.page.getByLabel('Name').fill('Harbor Works')
    await owner.button('Create organization').click()
    await owner.heading('Products')
    await owner.goTo('Overview')
    await owner.page.getByText('Nothing needs your attention.').waitFor()
    await owner.page.getByText('Nothing was paid in the last twelve months.').waitFor()
    await owner.expectSound('overview-empty')
    await owner.page.getByRole('link', { name: 'Choose products' }).click()
    await owner.heading('Products')
  })
})
