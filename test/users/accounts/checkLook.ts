import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import * as z from 'zod'

/** How a page is looked at: each language in both layouts and both schemes. */
const lookNames = ['en-desktop-light', 'de-phone-dark', 'en-phone-dark', 'de-desktop-light'] as const
export type LookName = (typeof lookNames)[number]
/** Both languages, layouts and schemes, in two looks; all four where pictures are taken. */
export const examinedLooks = process.env.SCREENSHOTS === undefined ? lookNames.slice(0, 2) : lookNames
interface Look {
  readonly locale: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}
const desktop = { width: 1280, height: 800 }
const phone = { width: 375, height: 740 }
/** The browser of each look. */
export const looks: Readonly<Record<LookName, Look>> = {
  'en-desktop-light': { locale: 'en-US', viewport: desktop, colorScheme: 'light' },
  'de-phone-dark': { locale: 'de-DE', viewport: phone, colorScheme: 'dark' },
  'en-phone-dark': { locale: 'en-US', viewport: phone, colorScheme: 'dark' },
  'de-desktop-light': { locale: 'de-DE', viewport: desktop, colorScheme: 'light' },
}

const findings = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }))

/** What axe-core finds wrong with the page by WCAG 2.2 AA. A page's policy stops scripts of its own, not those of the debugger. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const options = JSON.stringify({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
  const found = findings.parse(await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`))
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
}

/** Checks that a page is accessible and fits. Where `SCREENSHOTS` names a folder, takes its picture. */
export async function checkLook(page: Page, name: string): Promise<void> {
  expect({ name, violations: await violations(page) }).toEqual({ name, violations: [] })
  expect({ name, fits: await page.evaluate('document.documentElement.scrollWidth <= innerWidth') }).toEqual({
    name,
    fits: true,
  })
  const { SCREENSHOTS } = process.env
  if (SCREENSHOTS === undefined) return
  await writeFile(join(SCREENSHOTS, `${name}.png`), await page.screenshot({ fullPage: true }))
}
