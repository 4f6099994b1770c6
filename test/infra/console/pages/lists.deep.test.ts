import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sellProducts } from '../sellProducts.ts'
import { type OwnersConsole, useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, openAsOwner } = useStackInBrowser('test/infra/console/pages/lists')
let owner: OwnersConsole
beforeAll(async () => {
  if (!runs) return
  const { organizationId, rename } = await sellProducts(local())
  await rename('=Harbor, Works')
  owner = await openAsOwner('/invoices', 'Invoices', organizationId)
})
afterAll(() => owner?.close())

/** The file that a button saves. */
async function savedBy(button: string): Promise<{ name: string; lines: string[] }> {
  const [download] = await Promise.all([owner.page.waitForEvent('download'), owner.button(button).click()])
  const text = await readFile(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), lines: text.replace('\uFEFF', '').trim().split('\r\n') }
}

const rows = () => owner.page.getByRole('table').getByRole('row').count()

describeInBrowser('The invoices of an organization', () => {
  it('are chosen by year and status, with the total of the year', async () => {
    const { page } = owner
    const year = String(new Date().getFullYear())
    await owner.loaded()
    const all = await rows()
    await page.getByLabel('Year').selectOption(year)
    await page.getByRole('heading', { name: `Total of ${year}` }).waitFor()
    const total = page.getByRole('region', { name: `Total of ${year}` })
    await total.getByText('paid').waitFor()
    const { name, lines } = await savedBy('Download CSV')
    expect(name).toBe(`invoices-${year}.csv`)
    const paid = lines.slice(1).reduce((sum, line) => sum + Number(line.split(',')[5]), 0)
    expect(paid).toBeGreaterThan(49)
    expect(await total.textContent()).toContain(`$${paid.toFixed(2)} paid`)
    expect(await rows()).toBe(all)
    await owner.expectSoundEverywhere('invoices-year')
    await page.getByLabel('Status').selectOption('Void')
    await page.getByText('No invoice matches').waitFor()
    await owner.expectSoundEverywhere('invoices-none')
    await owner.button('Show all invoices').click()
    await page.getByRole('table').waitFor()
  })

  it('are saved as CSV', async () => {
    await owner.page.getByLabel('Year').selectOption('All years')
    await owner.page.getByLabel('Status').selectOption('Paid')
    const { name, lines } = await savedBy('Download CSV')
    expect(name).toBe('invoices.csv')
    expect(lines[0]).toBe('Number,Date,Status,Product,Amount,Paid,Currency,Due,Paid on,PDF')
    expect(lines.slice(1).map((line) => line.split(',').slice(2, 7).join())).toEqual([
      expect.stringMatching(/^Paid,.*,USD$/),
      expect.stringMatching(/^Paid,.*,USD$/),
    ])
  })
})

describeInBrowser('The activity of an organization', () => {
  it('is chosen by kind, person and period, and each change leads to its object', async () => {
    const { page } = owner
    await owner.goTo('Activity')
    await page.getByText('bought Over-the-air updates').waitFor()
    await owner.expectSoundEverywhere('activity')
    await page.getByLabel('Kind of change').selectOption('Organization')
    await page.getByText('renamed the organization').waitFor()
    expect(await page.getByText('bought Over-the-air updates').count()).toBe(0)
    await page.getByLabel('Made by').selectOption('Support')
    await page.getByText('No change matches').waitFor()
    await owner.button('Show all changes').click()
    await page.getByLabel('Period').selectOption('Last 7 days')
    const bought = page.getByRole('listitem').filter({ hasText: 'bought Over-the-air updates' })
    await bought.getByRole('link', { name: 'Products' }).click()
    await owner.heading('Products')
    await page.goBack()
  })

  it('is saved as CSV, in which no name is a formula', async () => {
    await owner.heading('Activity')
    const { name, lines } = await savedBy('Download CSV')
    expect(name).toBe('activity.csv')
    expect(lines[0]).toBe('Time,Made by,Change,Action,Target,Id')
    expect(lines.filter((line) => line.includes('organization.renamed'))).toHaveLength(1)
    expect(lines.filter((line) => /(^|,)"?[=+@-]/.test(line))).toEqual([])
  })
})
