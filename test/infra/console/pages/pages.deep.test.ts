import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { looks } from '../../../support/browser/looks.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { sellProducts } from '../sellProducts.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const pages = [
  ['Overview', '{own}'],
  ['Products', '{own}/products'],
  ['Cards', '{own}/cards'],
  ['Invoices', '{own}/invoices'],
  ['Billing details', '{own}/details'],
  ['Members', '{own}/members'],
  ['Sign-in rules', '{own}/sign-in-rules'],
  ['Domains', '{own}/domains'],
  ['Single sign-on', '{own}/sso'],
  ['API clients', '{own}/api-clients'],
  ['Activity', '{own}/activity'],
  ['Settings', '{own}/settings'],
  ['Your profile', 'profile'],
  ['Security', 'security'],
  ['Your activity', 'activity'],
  ['New organization', 'organizations/new'],
] as const

const { describeInBrowser, runs, local, open, own } = useStackInBrowser('test/infra/console/pages/pages')
let owner: OpenedConsole
beforeAll(async () => {
  if (!runs) return
  await sellProducts(local())
  owner = await open()
  await owner.open()
  await owner.signIn(local().info.demo.owner)
  await owner.heading('Your organizations')
  await owner.open(`${own()}/products`)
  await owner.button('Add Remote SSH to the order').click()
})
afterAll(() => owner?.close())

describeInBrowser('The pages of the console', () => {
  it.each(pages)(
    'are accessible, fit every window and leave the browser’s console empty: %s',
    async (heading, path) => {
      await owner.open(path.replace('{own}', own()))
      await owner.heading(heading)
      await owner.loaded()
      if (heading === 'Products') await owner.button('Pay $29.00').waitFor()
      // The organization has no single sign-on yet.
      if (heading === 'Single sign-on') owner.forgetRefusals(404)
      await owner.expectSoundEverywhere(heading)
    },
  )

  it('switch the mails about new sign-ins off and on again', async () => {
    await owner.open('activity')
    await owner.row('New sign-ins').getByText('On', { exact: true }).waitFor()
    await owner.page.getByText('Signed in').first().waitFor()
    await owner.button('Switch off').click()
    await owner.said('You no longer get emails about new sign-ins')
    await owner.open('activity')
    await owner.button('Switch on').click()
    await owner.said('You get emails about new sign-ins')
  })

  it('are reached by keyboard alone, and take the focus', async () => {
    const { page } = owner
    await page.setViewportSize(looks[0].viewport)
    await owner.open(own())
    await owner.heading('Overview')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await page.getByRole('link', { name: 'Invoices', exact: true }).press('Enter')
    await owner.heading('Invoices')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Invoices')
    await page.goBack()
    await owner.heading('Overview')
  })

  it('have keys for the search and for help, which a person can switch off', async () => {
    const { page } = owner
    await owner.open(`${own()}/members`)
    await owner.heading('Members')
    await owner.loaded()
    await page.keyboard.press('/')
    await page.keyboard.type('/')
    expect(await page.getByLabel('Search by name or address').inputValue()).toBe('/')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await owner.expectSound('keys')
    await page.getByLabel('Use / and ?').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await owner.button('Keyboard').click()
    await page.getByLabel('Use / and ?').check()
    await owner.button('Close').click()
  })

  it('keep an order in sight on a phone, and lead to its button', async () => {
    const { page } = owner
    await owner.open(`${own()}/products`)
    await owner.button('Pay $29.00').waitFor()
    await page.setViewportSize(looks[2].viewport)
    await page.evaluate('scrollTo(0, 0)')
    await owner.expectSound('order-bar')
    await owner.button('1 product, $29.00 · Pay').click()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Pay $29.00')
    await owner.button('1 product, $29.00 · Pay').waitFor({ state: 'detached' })
    await page.setViewportSize(looks[0].viewport)
  })

  it('open their menu with a button on a phone', async () => {
    const { page } = owner
    await page.setViewportSize(looks[2].viewport)
    await owner.open(own())
    const menu = owner.button('Menu')
    expect(await page.getByRole('link', { name: 'Invoices', exact: true }).isVisible()).toBe(false)
    await menu.click()
    expect(await menu.getAttribute('aria-expanded')).toBe('true')
    await owner.expectSound('phone-menu')
    await owner.goTo('Invoices')
    expect(await menu.getAttribute('aria-expanded')).toBe('false')
  })

  it('say what failed with its request id, and try again', async () => {
    const { page } = owner
    await page.setViewportSize(looks[0].viewport)
    const detail = 'The service failed'
    const failure = { status: 500, json: { detail, code: 'internal_error', request_id: 'r1' } }
    const headers = { 'x-request-id': 'request-of-the-test', 'content-type': 'application/json' }
    await page.route('**/api/billing/invoices*', (route) => route.fulfill({ ...failure, headers }))
    await owner.open(`${own()}/invoices`)
    await page.getByRole('alert').getByText('request-of-the-test').waitFor()
    await page.unroute('**/api/billing/invoices*')
    await owner.button('Try again').click()
    await page.getByRole('row', { name: /Over-the-air updates/ }).waitFor()
    owner.errors.splice(0)
  })

  it('say that there is no connection, for as long as there is none', async () => {
    const { page, context } = owner
    await owner.open(own())
    await owner.heading('Overview')
    await context.setOffline(true)
    await owner.said('You are offline')
    await context.setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'detached' })
    owner.errors.splice(0)
  })

  it('refuse an organization that is not the user’s in words, and an address that is none', async () => {
    const { page } = owner
    await owner.open(`organizations/${local().info.demo.other_organization_id}`)
    await page.getByText('This organization does not exist, or you are not a member of it.').waitFor()
    owner.errors.splice(0)
    await owner.expectSoundEverywhere('unknown-organization')
    await page.getByRole('link', { name: 'Go to your organizations' }).click()
    await owner.heading('Your organizations')
    for (const path of ['organizations/no-id/cards', 'nothing/here']) {
      await owner.open(path)
      await owner.heading('There is no such page')
      await page.getByRole('link', { name: 'Go to your organizations' }).click()
      await owner.heading('Your organizations')
    }
    owner.errors.splice(0)
  })

  it('take a sign-in to its end that began in another tab', async () => {
    const visitor = await open()
    await visitor.open()
    await visitor.button('Sign in').click()
    await visitor.heading('Sign in')
    const other = await visitor.inNewTab()
    await other.page.goto(visitor.page.url())
    await other.enterPassword(local().info.demo.billing_admin)
    await other.heading('Your organizations')
    expect(other.errors).toEqual([])
    await visitor.close()
  })

  it('lead from the address that an invitation ends at to its organization', async () => {
    await owner.open(`?organization_id=${local().info.demo.organization_id}`)
    await owner.heading('Overview')
    expect(owner.page.url()).toMatch(new RegExp(`/${own()}$`))
  })

  it('show a billing admin what it may do, and no more', async () => {
    const admin = await open()
    await admin.open(`${own()}/products`)
    await admin.signIn(local().info.demo.billing_admin)
    await admin.button('Cancel Over-the-air updates').waitFor()
    await admin.goTo('Members')
    expect(await admin.button(/Invite|Remove/).count()).toBe(0)
    expect(await admin.page.getByRole('link', { name: 'Activity', exact: true }).count()).toBe(0)
    await admin.open(`${own()}/activity`)
    await admin.heading('Not for your role')
    await admin.close()
  })
})
