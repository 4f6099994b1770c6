import { readFile, writeFile } from 'node:fs/promises'
import { expect } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'

/** Width and height of a PNG. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

/**
 * Checks that the stored picture is one of this window, or of this part of it. `PICTURES=write` stores a new one.
 * @param path below `infra`
 * @param part a part of the window of this size, from this element's corner
 */
export async function checkPicture(
  page: Page,
  path: string,
  part?: { readonly from: Locator; readonly width: number; readonly height: number },
): Promise<void> {
  await part?.from.scrollIntoViewIfNeeded()
  const box = await part?.from.boundingBox()
  const clip = part && box ? { x: box.x, y: box.y, width: part.width, height: part.height } : undefined
  const picture = await page.screenshot({ animations: 'disabled', ...(clip && { clip }) })
  const file = new URL(`../../../infra/${path}`, import.meta.url)
  if (process.env.PICTURES === 'write') await writeFile(file, picture)
  expect(sizeOf(await readFile(file))).toEqual(sizeOf(picture))
}
