import axe from 'axe-core'
import type { Page } from 'playwright-core'
import * as z from 'zod'

const findings = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }))
const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe-core finds wrong with a page by WCAG 2.2 AA. A page's policy stops scripts of the page, not those of the debugger.
 * @param context axe-core's: the part of the document that it looks at
 */
export async function violations(page: Page, { context = 'document', iframes = true } = {}): Promise<string[]> {
  await page.evaluate(axe.source)
  const run = `axe.run(${context}, ${JSON.stringify({ runOnly, iframes })}).then(({ violations }) => violations)`
  const found = findings.parse(await page.evaluate(run))
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
}
