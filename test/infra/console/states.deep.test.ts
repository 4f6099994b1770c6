import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page, Route } from 'playwright-core'
import { openInvoiceOrganization, unaddressedOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { looks } from '../../support/looks.ts'
import { violations } from '../../support/violations.ts'
import type { OpenedConsole } from './openConsole.ts'
import { sellProducts } from './sellProducts.ts'
import { useStackInBrowser } from './useStackInBrowser.ts'

// States that a stranger gets into, one after the other: each is sound and has a way on. `SCREENSHOTS=<folder>` takes their pictures.

const { describeInBrowser, runs, local, open } = useStackInBrowser('test/infra/console/states')

type Who = 'visitor' | 'owner' | 'billing_admin' | 'member' | 'stranger'
const [light, , , darkPhone] = looks
const views = [
  { name: 'English, desktop, light', look: light, locale: 'en-US' },
  { name: 'German, phone, dark', look: darkPhone, locale: 'de-DE' },
] as const
type View = (typeof views)[number]

/** Addresses below the console's base. Those that begin with / are the service's own pages. */
const addresses: readonly (readonly [name: string, who: Who, address: string])[] = [
  ['the first page of the stack', 'visitor', '/'],
  ['welcome', 'visitor', ''],
  ['an organization, signed out', 'visitor', '{sold}/cards'],
  ['registration', 'visitor', '/api/auth/link?purpose=register'],
  ['a forgotten password', 'visitor', '/api/auth/link?purpose=forgot_password'],
  ['a dead link', 'visitor', '/api/auth/link?purpose=reset_password#token=dead'],
  ['an unknown invitation', 'visitor', '/api/auth/link?purpose=invitation#token=dead'],
  ['an unknown application', 'visitor', '/api/oauth/authorize?client_id=nobody&response_type=code'],
  ['an address that is none, signed out', 'visitor', 'nothing/here'],
  ['own organizations', 'owner', ''],
  ['overview', 'owner', '{sold}'],
  ['products', 'owner', '{sold}/products'],
  ['cards', 'owner', '{sold}/cards'],
  ['invoices', 'owner', '{sold}/invoices'],
  ['billing details', 'owner', '{sold}/details'],
  ['members', 'owner', '{sold}/members'],
  ['API clients', 'owner', '{sold}/api-clients'],
  ['activity', 'owner', '{sold}/activity'],
  ['settings', 'owner', '{sold}/settings'],
  ['overview of nothing', 'owner', '{empty}'],
  ['products of nothing', 'owner', '{empty}/products'],
  ['cards of nothing', 'owner', '{empty}/cards'],
  ['invoices of nothing', 'owner', '{empty}/invoices'],
  ['details of nothing', 'owner', '{empty}/details'],
  ['API clients of nothing', 'owner', '{empty}/api-clients'],
  ['activity of nothing', 'owner', '{empty}/activity'],
  ['an open invoice', 'owner', '{owing}'],
  ['products on account', 'owner', '{owing}/products'],
  ['invoices on account', 'owner', '{owing}/invoices'],
  ['details that lack something', 'owner', '{unaddressed}/details'],
  ['products without details', 'owner', '{unaddressed}/products'],
  ['a new organization', 'owner', 'organizations/new'],
  ['profile', 'owner', 'profile'],
  ['security', 'owner', 'security'],
  ['own activity', 'owner', 'activity'],
  ['another’s organization', 'owner', '{other}/products'],
  ['an organization by a bad id', 'owner', 'organizations/not-an-id/products'],
  ['an address that is none', 'owner', 'nothing/here'],
  ['what a billing admin may do', 'billing_admin', '{sold}/products'],
  ['what a billing admin may not see', 'billing_admin', '{sold}/activity'],
  ['what a member may do', 'member', '{sold}/products'],
  ['what a member may not see', 'member', '{sold}/cards'],
  ['members for a member', 'member', '{sold}/members'],
  ['no organization at all', 'stranger', 'profile'],
]

const ids: Record<string, string> = {}
const consoles = new Map<string, OpenedConsole>()

beforeAll(async () => {
  if (!runs) return
  const client = local()
  const { organizationId, post } = await sellProducts(client)
  ids.sold = organizationId
  await post(`/api/organizations/${organizationId}/invitations`, { email: 'grace@acme.example', role: 'member' })
  await post(`/api/organizations/${organizationId}/api-clients`, { name: 'Export', scopes: ['billing:read'] })
  ids.empty = await client.newOrganization()
  ids.owing = await openInvoiceOrganization(client, 7)
  ids.unaddressed = await unaddressedOrganization(client, 7)
  ids.other = client.info.demo.other_organization_id
})
afterAll(async () => {
  for (const opened of consoles.values()) await opened.close()
})

const filled = (address: string) => address.replace(/\{(\w+)\}/, (_, name: string) => `organizations/${ids[name]}`)

/** A browser of this user in this view, signed in once. */
async function consoleOf(who: Who, { look, locale, name }: View): Promise<OpenedConsole> {
  const known = consoles.get(`${who} ${name}`)
  if (known !== undefined) return known
  const opened = await open(look, locale)
  consoles.set(`${who} ${name}`, opened)
  if (who === 'visitor') return opened
  await opened.page.goto(`${local().info.base_url}/_local/console/profile`)
  await opened.button(/^(Sign in|Anmelden)$/).click()
  const user = local().info.demo[who]
  await opened.page.locator('input[type=email]').fill(user.email)
  await opened.page.locator('input[type=password]').fill(user.password)
  await opened.button(/^(Sign in|Anmelden)$/).click()
  await opened.page.waitForURL('**/profile')
  return opened
}

/** What a person can press or follow, and which warnings leave them alone. */
const waysOn = `(() => {
  const visible = (element) => element.checkVisibility() && !element.disabled
  const on = (within) => [...within.querySelectorAll('a[href], button, input[type=submit]')].some(visible)
  const alone = [...document.querySelectorAll('[role=alert]')]
    .filter((alert) => alert.textContent.trim() !== '' && !on(alert.closest('form, dialog, section, main, body')))
  return { on: on(document.querySelector('main') ?? document.body) || on(document.body), alone: alone.map(({ textContent }) => textContent) }
})()`

/** A refusal that the state is about, or a stopped request, is an error in the browser's console all the same. */
const expected = /^Failed to load resource/

async function expectWayOn(name: string, { page, errors }: Pick<OpenedConsole, 'page' | 'errors'>): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) {
    const file = `${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.png`
    await writeFile(join(folder, file), await page.screenshot({ fullPage: true, animations: 'disabled' }))
  }
  const found = {
    name,
    tooWide: await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
    ways: await page.evaluate(waysOn),
    violations: await violations(page, { iframes: false }),
    errors: errors.splice(0).filter((text) => !expected.test(text)),
  }
  expect(found).toEqual({ name, tooWide: false, ways: { on: true, alone: [] }, violations: [], errors: [] })
}

const quiet = (page: Page) => page.waitForLoadState('networkidle')

describeInBrowser.each(views)('Opened directly ($name)', (view) => {
  it.each(addresses)('%s', async (name, who, address) => {
    const opened = await consoleOf(who, view)
    if (address.startsWith('/')) await opened.page.goto(`${local().info.base_url}${address}`)
    else await opened.open(filled(address))
    await quiet(opened.page)
    await opened.loaded()
    await expectWayOn(`${name} (${view.name})`, opened)
  })
})

describeInBrowser('In the middle of something', () => {
  const owner = () => consoleOf('owner', views[0])

  it('an order is there after a reload', async () => {
    const opened = await owner()
    await opened.open(`${filled('{sold}')}/products`)
    await opened.button('Add Remote SSH to the order').click()
    await opened.button('Pay $29.00').waitFor()
    await opened.page.reload()
    await opened.button('Pay $29.00').waitFor()
    await expectWayOn('order after a reload', opened)
  })

  it('help with the keyboard comes with ?, and goes with Escape', async () => {
    const opened = await owner()
    await opened.page.keyboard.press('?')
    await opened.page.getByRole('dialog').waitFor()
    await expectWayOn('keyboard', opened)
    await opened.page.keyboard.press('Escape')
    await opened.page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it('a declined card leaves the order and says what to do', async () => {
    const opened = await owner()
    await opened.page.getByLabel('New card').check()
    await opened.fillCard('4000000000000341')
    await opened.button('Pay $29.00').click()
    await opened.page
      .getByRole('complementary')
      .getByText(/declined/)
      .waitFor()
    await expectWayOn('declined card', opened)
  })

  it('a checkout whose answer is lost can be sent again', async () => {
    const opened = await owner()
    const fail = (route: Route) => route.abort('connectionreset')
    await opened.page.route('**/api/billing/checkout?*', fail)
    await opened.button('Pay $29.00').click()
    await opened.page.getByRole('alert').first().waitFor()
    await expectWayOn('lost answer', opened)
    await opened.page.unroute('**/api/billing/checkout?*', fail)
  })

  it('a slow network shows what is coming', async () => {
    const opened = await owner()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = async (route: Route) => {
      await held
      await route.continue()
    }
    await opened.page.route('**/api/billing/invoices*', slow)
    await opened.open(`${filled('{sold}')}/invoices`)
    await opened.page.locator('.skeleton').first().waitFor()
    await expectWayOn('slow network', opened)
    release()
    await opened.loaded()
    await opened.page.unroute('**/api/billing/invoices*', slow)
  })

  it('no network says so, on every page', async () => {
    const opened = await owner()
    await opened.context.setOffline(true)
    await opened.said('You are offline')
    await expectWayOn('offline', opened)
    await opened.context.setOffline(false)
  })

  it('a failure of the service names the request and can be tried again', async () => {
    const opened = await owner()
    const failed = { status: 500, json: { detail: 'Internal error', code: 'internal_error', request_id: 'r1' } }
    const fail = (route: Route) => route.fulfill({ ...failed, headers: { 'x-request-id': 'request-r1' } })
    await opened.page.route('**/api/billing/payment-methods*', fail)
    await opened.open(`${filled('{sold}')}/cards`)
    await opened.page.getByRole('alert').first().waitFor()
    await expectWayOn('failure', opened)
    await opened.page.unroute('**/api/billing/payment-methods*', fail)
  })

  it.each([
    ['cancel', '{sold}/products', 'Cancel Over-the-air updates'],
    ['remove a card', '{sold}/cards', /^Remove/],
    ['delete the organization', '{sold}/settings', /^Delete/],
    ['delete the account', 'profile', /^Delete/],
  ])('a dialog asks first, and Escape leaves it: %s', async (name, address, button) => {
    const opened = await owner()
    await opened.open(filled(address))
    await opened.loaded()
    await opened.button(button).first().click()
    await opened.page.getByRole('dialog').waitFor()
    await expectWayOn(`dialog to ${name}`, opened)
    await opened.page.keyboard.press('Escape')
    await opened.page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it('another user in another tab covers this one', async () => {
    const opened = await owner()
    await opened.open('profile')
    await opened.heading('Your profile')
    const other = await opened.inNewTab()
    await other.open('profile')
    await other.button('Sign out').click()
    await opened.said('You signed out in another tab.')
    await expectWayOn('signed out in another tab', opened)
    await other.close()
  })
})
