import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../support/browser/useBrowser.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { committed, operations } from './openApiDocument.ts'

const { browser, describeInBrowser } = useBrowser('test/infra/openapi/docsPage')

const stack = await openLocalStack()

describe('GET /api/openapi.json', () => {
  // [asvs 13.4.5]
  it('answers the committed document, to anyone', async () => {
    const response = await fetch(`${stack.info.base_url}/api/openapi.json`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    expect(await response.json()).toEqual(committed)
  })
})

describe('GET /_local/docs', () => {
  it('serves its files with a policy that lets the page ask no other origin', async () => {
    const page = await fetch(`${stack.info.base_url}/_local/docs`)
    const files = [...(await page.text()).matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, file = '']) => file,
    )
    expect(files.length).toBeGreaterThan(3)
    for (const file of ['/_local/docs', ...files]) {
      const { status, headers } = await fetch(stack.info.base_url + file)
      expect({ file, status }).toEqual({ file, status: 200 })
      expect(headers.get('content-security-policy')).toMatch(/^default-src '(self|none)'; .*frame-ancestors 'none'/)
    }
  })

  it('serves no other file of the viewer’s package', async () => {
    const response = await fetch(`${stack.info.base_url}/_local/docs/package.json`)
    expect(response.status).toBe(404)
  })
})

describeInBrowser('The page of the document', () => {
  const errors: string[] = []
  const origins = new Set<string>()
  let page: Page

  beforeAll(async () => {
    page = await browser().newPage()
    page.setDefaultTimeout(60_000)
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin)
    })
    await page.goto(`${stack.info.base_url}/_local/docs`)
    await page.getByRole('status').filter({ hasText: 'Signed in as demo-owner' }).waitFor()
  })

  it('shows every operation, without an error and without a request to any other origin', async () => {
    expect(await page.locator('.opblock').count()).toBe(operations.length)
    expect(errors).toEqual([])
    expect([...origins]).toEqual([stack.info.base_url])
  })

  it('begins with Billing', async () => {
    expect(await page.locator('.opblock-tag').first().getAttribute('data-tag')).toBe('Billing')
  })

  it('has the dark colors where the browser asks for them', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark-mode').waitFor()
    const color = await page.evaluate("getComputedStyle(document.querySelector('.swagger-ui')).backgroundColor")
    expect(color).toBe('rgb(28, 32, 34)')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.locator('html:not(.dark-mode)').waitFor()
  })

  it('opens an operation that the address names', async () => {
    const other = await browser().newPage()
    await other.goto(`${stack.info.base_url}/_local/docs#/Billing/listInvoices`)
    await other.locator('#operations-Billing-listInvoices').getByRole('button', { name: 'Execute' }).waitFor()
    await other.close()
  })

  it('sends a request for the demo’s organization as the user that was clicked', async () => {
    await page.locator('[data-user=member]').click()
    await page.getByRole('status').filter({ hasText: 'Signed in as demo-member' }).waitFor()
    const block = page.locator('#operations-Billing-listInvoices')
    await block.locator('.opblock-summary').click()
    await block.getByRole('button', { name: 'Execute' }).click()
    const status = block.locator('.live-responses-table .response-col_status')
    await status.filter({ hasText: '403' }).waitFor()
    await page.locator('[data-user=owner]').click()
    await page.getByRole('status').filter({ hasText: 'Signed in as demo-owner' }).waitFor()
    await block.getByRole('button', { name: 'Execute' }).click()
    await status.filter({ hasText: '200' }).waitFor()
  })

  it('sends a request as the demo’s owner and shows the answer', async () => {
    const block = page.locator('.opblock', { hasText: 'Retrieve the signed-in user' })
    await block.locator('.opblock-summary').click()
    await block.getByRole('button', { name: 'Execute' }).click()
    const answer = block.locator('.live-responses-table tbody')
    await answer.getByText(stack.info.demo.owner.email).first().waitFor()
    expect(await answer.locator('.response-col_status').first().textContent()).toContain('200')
  })
})
