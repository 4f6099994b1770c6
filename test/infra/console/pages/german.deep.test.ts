import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Route } from 'playwright-core'
import * as z from 'zod'
import { looks } from '../../../support/browser/looks.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { sellProducts } from '../sellProducts.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const pages = [
  ['Übersicht', '{own}'],
  ['Produkte', '{own}/products'],
  ['Karten', '{own}/cards'],
  ['Rechnungen', '{own}/invoices'],
  ['Rechnungsangaben', '{own}/details'],
  ['Mitglieder', '{own}/members'],
  ['API-Clients', '{own}/api-clients'],
  ['Aktivitäten', '{own}/activity'],
  ['Einstellungen', '{own}/settings'],
  ['Ihr Profil', 'profile'],
  ['Sicherheit', 'security'],
  ['Ihre Organisationen', ''],
  ['Neue Organisation', 'organizations/new'],
] as const

const { describeInBrowser, runs, local, open, own } = useStackInBrowser('test/infra/console/pages/german')
let owner: OpenedConsole
beforeAll(async () => {
  if (!runs) return
  await furnish()
  owner = await open()
})
afterAll(() => owner?.close())

/** The demo's organization with what `sellProducts` sells it, an API client and an invitation. */
async function furnish(): Promise<void> {
  const { organizationId, post } = await sellProducts(local())
  const path = `/api/organizations/${organizationId}`
  await post(`${path}/api-clients`, { name: 'Export', scopes: ['billing:read', 'members:read'] })
  await post(`${path}/invitations`, { email: 'grace@acme.example', role: 'billing_admin' })
}

const mails = z.array(z.object({ to: z.string(), subject: z.string() }))

const languageOfPage = ({ page }: OpenedConsole) => page.evaluate('document.documentElement.lang')

describeInBrowser('The console in German', () => {
  it('is chosen before the sign-in, goes on at the hosted pages and stays', async () => {
    const { page } = owner
    await owner.open()
    await owner.heading('Everything your devices need, in one place')
    expect(await languageOfPage(owner)).toBe('en')
    await page.getByLabel('Language').selectOption('Deutsch')
    await owner.heading('Alles, was Ihre Geräte brauchen, an einem Ort')
    expect([await languageOfPage(owner), await page.title()]).toEqual(['de', 'Anmelden · Console'])
    await owner.expectSound('german-welcome')
    await owner.button(/^Anmelden$/).click()
    await page.getByLabel('E-Mail-Adresse').fill(local().info.demo.owner.email)
    await page.locator('input[type=password]').fill(local().info.demo.owner.password)
    await owner.button(/^Anmelden$/).click()
    await owner.heading('Ihre Organisationen')
    await page.reload()
    await owner.heading('Ihre Organisationen')
    expect(await page.title()).toBe('Ihre Organisationen · Console')
  })

  it.each(pages)('is accessible and fits every window: %s', async (heading, path) => {
    await owner.open(path.replace('{own}', own()))
    await owner.heading(heading)
    await owner.loaded()
    await owner.expectSoundEverywhere(`german-${heading.replaceAll(' ', '-')}`)
  })

  it('sells in German: the order, its price and the question before it ends', async () => {
    const { page } = owner
    await owner.open(`${own()}/products`)
    await owner.button('Hinzufügen: Remote SSH zur Bestellung').click()
    await owner.button(/^29,00\s\$ bezahlen$/).waitFor()
    await owner.button('Gutschein hinzufügen').click()
    await page.getByLabel('Gutschein').fill('NOSUCHCOUPON')
    await owner.button('Einlösen').click()
    await page.getByText('Dieser Gutschein ist unbekannt.').waitFor()
    await page.getByText('Neue Karte').click()
    await page.setViewportSize(looks[2].viewport)
    await owner.expectSound('german-order-phone')
    await page.setViewportSize(looks[0].viewport)
    await owner.expectSound('german-order')
    await owner.button('Kündigen: Over-the-air updates').click()
    await page
      .getByRole('dialog')
      .getByText(/funktioniert noch bis \d\d\.\d\d\.\d{4} und/)
      .waitFor()
    await owner.expectSound('german-cancel')
    await page.keyboard.press('Escape')
  })

  it('asks its buyer to check a total that has changed, and says what is no longer for sale', async () => {
    const { page } = owner
    const { stripe } = local()
    const [price] = (await stripe.prices.list({ lookup_keys: ['addon_remote_ssh'] })).data
    // The order of the test before.
    await page.evaluate('sessionStorage.clear()')
    await owner.open(`${own()}/products`)
    await owner.button('Hinzufügen: Remote SSH zur Bestellung').click()
    await owner.button(/^29,00\s\$ bezahlen$/).waitFor()
    // As if the buyer had been shown another price.
    const shown = async (route: Route) =>
      route.continue({ postData: { ...route.request().postDataJSON(), expected_subtotal: 1900 } })
    await page.route('**/api/billing/checkout?*', shown, { times: 1 })
    await owner.button(/^29,00\s\$ bezahlen$/).click()
    await page.getByText('Der Preis hat sich geändert. Bitte prüfen Sie die neue Summe.').waitFor()
    await owner.expectSoundEverywhere('german-price-changed')
    await stripe.prices.update(price?.id ?? '', { active: false })
    await owner.open(`${own()}/products`)
    await page.getByText('Dieses Produkt ist zurzeit nicht erhältlich.').waitFor()
    await owner.expectSoundEverywhere('german-not-for-sale')
    await stripe.prices.update(price?.id ?? '', { active: true })
  })

  it('writes the mails that it causes in German', async () => {
    const { page } = owner
    await owner.open(`${own()}/members`)
    await page.getByLabel('E-Mail-Adresse').fill('emmy@acme.example')
    await owner.button('Einladung senden').click()
    await owner.said('emmy@acme.example wurde eingeladen')
    const sent = mails.parse((await local().send({ method: 'GET', path: '/_local/mail.json' })).body)
    const subject = sent.find(({ to }) => to === 'emmy@acme.example')?.subject
    expect(subject).toBe('Sie sind in eine Organisation eingeladen')
  })

  it('is left for English in the menu, where the page stays and what was typed is kept', async () => {
    const { page } = owner
    await page.getByLabel('E-Mail-Adresse').fill('half@typed')
    await page.getByLabel('Sprache').focus()
    await page.getByLabel('Sprache').selectOption('English')
    await owner.heading('Members')
    expect(await page.getByLabel('Email address').inputValue()).toBe('half@typed')
    expect([await languageOfPage(owner), await page.title()]).toEqual(['en', 'Members · Console'])
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT')
    await page.getByLabel('Language').selectOption('Deutsch')
  })

  it('signs out, and is there in German again', async () => {
    await owner.button('Abmelden').click()
    await owner.heading('Alles, was Ihre Geräte brauchen, an einem Ort')
    expect(await languageOfPage(owner)).toBe('de')
  })

  it('is what a browser gets that prefers it, with its own country’s way of writing', async () => {
    const visitor = await open(looks[2], 'de-AT')
    await visitor.open()
    await visitor.heading('Alles, was Ihre Geräte brauchen, an einem Ort')
    expect(await visitor.page.getByLabel('Sprache').inputValue()).toBe('de')
    await visitor.expectSound('german-welcome-phone')
    await visitor.close()
  })
})
