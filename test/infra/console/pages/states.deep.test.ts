import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page, Route } from 'playwright-core'
import { openInvoiceOrganization, unaddressedOrganization } from '../../../../infra/local/samples/sampleInvoices.ts'
import { replacePrice } from '../../../billing/listPrices.ts'
import { violations } from '../../../support/aws/violations.ts'
import { looks } from '../../../support/browser/looks.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { sellProducts } from '../sellProducts.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

// States that a stranger gets into, one after the other: each is sound and has a way on. `SCREENSHOTS=<folder>` takes their pictures.

const { describeInBrowser, runs, local, open } = useStackInBrowser('test/infra/console/pages/states')

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
  ['sign-in rules', 'owner', '{sold}/sign-in-rules'],
  ['domains', 'owner', '{sold}/domains'],
  ['single sign-on', 'owner', '{sold}/sso'],
  ['API clients', 'owner', '{sold}/api-clients'],
  ['webhooks', 'owner', '{sold}/webhooks'],
  ['activity', 'owner', '{sold}/activity'],
  ['settings', 'owner', '{sold}/settings'],
  ['overview of nothing', 'owner', '{empty}'],
  ['products of nothing', 'owner', '{empty}/products'],
  ['cards of nothing', 'owner', '{empty}/cards'],
  ['invoices of nothing', 'owner', '{empty}/invoices'],
  ['details of nothing', 'owner', '{empty}/details'],
  ['the only member', 'owner', '{empty}/members'],
  ['API clients of nothing', 'owner', '{empty}/api-clients'],
  ['webhooks of nothing', 'owner', '{empty}/webhooks'],
  ['activity of nothing', 'owner', '{empty}/activity'],
  ['an open invoice', 'owner', '{owing}'],
  ['products on account', 'owner', '{owing}/products'],
  ['invoices on account', 'owner', '{owing}/invoices'],
  ['cards on account', 'owner', '{owing}/cards'],
  ['an organization that is being deleted', 'owner', '{deleted}'],
  ['settings of an organization that is being deleted', 'owner', '{deleted}/settings'],
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
  ['overview of a billing admin', 'billing_admin', '{sold}'],
  ['API clients of a billing admin', 'billing_admin', '{sold}/api-clients'],
  ['what a billing admin may not see', 'billing_admin', '{sold}/activity'],
  ['what a member may do', 'member', '{sold}/products'],
  ['overview of a member', 'member', '{sold}'],
  ['settings of a member', 'member', '{sold}/settings'],
  ['what a member may not see', 'member', '{sold}/cards'],
  ['members for a member', 'member', '{sold}/members'],
  ['no organization at all', 'stranger', 'profile'],
  ['the mailbox', 'visitor', '/_local/mail'],
  ['received events', 'visitor', '/_local/events'],
  ['the API’s document', 'visitor', '/_local/docs'],
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
  await post(`/api/organizations/${organizationId}/webhook-endpoints`, { url: 'http://127.0.0.1:9/events' })
  ids.empty = await client.newOrganization()
  ids.owing = await openInvoiceOrganization(client, 7)
  ids.unaddressed = await unaddressedOrganization(client, 7)
  ids.deleted = await client.newOrganization()
  const deletion = { method: 'DELETE', path: `/api/organizations/${ids.deleted}` } as const
  await client.send({ ...deletion, token: await client.accessToken('owner') })
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

/** Whether a person can press or follow something in the page, its menu aside, or in its question; and which warnings leave them alone. */
const waysOn = `(() => {
  const visible = (element) => element.checkVisibility() && !element.disabled
  const on = (within) => [...within.querySelectorAll('a[href], button, input, select')].some(visible)
  const alone = [...document.querySelectorAll('[role=alert]')]
    .filter((alert) => alert.textContent.trim() !== '' && !on(alert.closest('form, dialog, section, main, body')))
  const content = document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body
  return { on: on(content), alone: alone.map(({ textContent }) => textContent) }
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
    await opened.heading('Invoices')
    await opened.page.locator('.skeleton').first().waitFor()
    await opened.page.getByLabel('Year').waitFor()
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
    ['an organization', '{empty}', '**/api/organizations/*'],
    ['the user', 'profile', '**/api/users/me'],
    ['the code of a page', '{sold}/settings', '**/managementPages-*.js'],
  ])('has a heading and a way on although it cannot be read: %s', async (name, address, pattern) => {
    const opened = await owner()
    const fail = (route: Route) => route.fulfill({ status: 500, body: '' })
    await opened.page.route(pattern, fail)
    await opened.open(filled(address))
    await opened.page.getByRole('alert').first().waitFor()
    await expectWayOn(`no answer for ${name}`, opened)
    await opened.page.unroute(pattern, fail)
  })

  it('an unknown coupon can be removed', async () => {
    const opened = await owner()
    await opened.open(`${filled('{empty}')}/products`)
    await opened.button('Add Monitoring to the order').click()
    await opened.button('Add a coupon').click()
    await opened.page.getByLabel('Coupon').fill('NOSUCH')
    await opened.page.keyboard.press('Enter')
    await opened.page.getByText('This coupon is unknown.').waitFor()
    await expectWayOn('unknown coupon', opened)
  })

  it('a product in another currency can be taken out of the order', async () => {
    const sell = (currency: string, unit_amount: number) =>
      replacePrice(local(), 'addon_remote_ssh', { currency, unit_amount })
    const restore = await sell('eur', 2700)
    const opened = await owner()
    await opened.open(`${filled('{sold}')}/products`)
    await opened.page.getByText(/pays in another currency/).waitFor()
    await expectWayOn('another currency', opened)
    await restore()
  })

  it('a filter that leaves nothing can be taken back', async () => {
    const opened = await owner()
    await opened.open(`${filled('{sold}')}/members`)
    await opened.page.getByLabel('Search by name or address').fill('nobody at all')
    await opened.page.getByText('No member matches').waitFor()
    await expectWayOn('no match', opened)
    await opened.button('Show all members').click()
  })

  it('a promotion to owner asks first', async () => {
    const opened = await owner()
    await opened.page.getByLabel('Role of demo-member').selectOption('Owner')
    await opened.page.getByRole('dialog').waitFor()
    await expectWayOn('promotion', opened)
    await opened.page.keyboard.press('Escape')
  })

  it('an address that is none is said at its field', async () => {
    const opened = await owner()
    await opened.page.getByLabel('Email address').fill('nobody')
    await opened.button('Send invitation').click()
    await opened.page.getByText('This is not an email address').waitFor()
    await expectWayOn('no address', opened)
  })

  it('a wrong password leads to the ways back in', async () => {
    const opened = await consoleOf('visitor', views[1])
    await opened.open()
    await opened.button('Anmelden').click()
    await opened.page.locator('input[type=email]').fill('nobody@example.com')
    await opened.page.locator('input[type=password]').fill('not the password at all')
    await opened.page.locator('button[type=submit]').first().click()
    await opened.page.getByRole('alert').first().waitFor()
    await expectWayOn('wrong password', opened)
  })

  it.each(
    views.flatMap((view) =>
      (
        [
          ['cancel', '{sold}/products', /^(Cancel Over|Kündigen: Over)/],
          ['remove a card', '{sold}/cards', /^(Remove|Entfernen:)/],
          ['delete the organization', '{sold}/settings', /^(Delete|.+ löschen)/],
          ['delete the account', 'profile', /^(Delete|.+ löschen)/],
        ] as const
      ).map((dialog) => [...dialog, view] as const),
    ),
  )('a dialog asks first, and Escape leaves it: %s', async (name, address, button, view) => {
    const opened = await consoleOf('owner', view)
    await opened.open(filled(address))
    await opened.loaded()
    await opened.button(button).first().click()
    await opened.page.getByRole('dialog').waitFor()
    await expectWayOn(`dialog to ${name} (${view.name})`, opened)
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
