import { expect, it } from '@jest/globals'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, openAsOwnerBeforeEach } = useStackInBrowser('test/infra/console/pages/firstLoad')
const opened = openAsOwnerBeforeEach('', 'Overview')

describeInBrowser('The first load of a page', () => {
  it('asks for user, invitations, organization and products at once, and shows the menu before they come', async () => {
    const { page } = opened()
    await opened().loaded()
    const paths = [
      '/api/billing/products',
      `/api/organizations/${opened().organizationId}`,
      '/api/users/me',
      '/api/users/me/invitations',
    ]
    const asked: string[] = []
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/**', async (route) => {
      asked.push(new URL(route.request().url()).pathname)
      await answered
      await route.continue()
    })
    const all = paths.map((path) => page.waitForRequest((request) => new URL(request.url()).pathname === path))
    await page.reload()
    const menu = page.getByRole('navigation', { name: 'Organization', exact: true })
    await menu.getByRole('link', { name: 'Cards' }).waitFor()
    await opened().expectSound('first-load-menu')
    await Promise.all(all)
    expect([...asked].sort()).toEqual(paths)
    answer()
    await opened().heading('Overview')
    await opened().loaded()
    expect(asked.filter((path) => path === '/api/billing/products')).toHaveLength(1)
  })

  it('loads the texts of another language when it is chosen, and keeps them', async () => {
    const { page } = opened()
    const loaded: string[] = []
    page.on('request', (request) => void loaded.push(/\/(en|de)-\w+\.js/.exec(request.url())?.[1] ?? ''))
    await page.getByLabel('Language').selectOption('de')
    await opened().heading('Übersicht')
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    await page.getByLabel('Sprache').selectOption('en')
    await opened().heading('Overview')
    expect(loaded.filter(Boolean)).toEqual(['de'])
  })

  it('says that the code of a page could not be loaded, and tries again', async () => {
    const { page } = opened()
    await page.route('**/assets/managementPages-*', (route) => route.abort())
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/assets/managementPages-*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await opened().heading('Members')
    opened().errors.length = 0
  })
})
