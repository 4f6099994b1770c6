import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { violations } from '../../support/aws/violations.ts'

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
