import { readFile } from 'node:fs/promises'
import type { Metafile } from 'esbuild'
import * as z from 'zod'
import { entryPoints } from '../aws/bundle/entryPoints.ts'
import { bundleContents } from './bundleContents.ts'

/** The sizes of all bundles, as `npm run bundle:report -- --write` stores them. */
export const budgetsFile = new URL('bundleBudgets.json', import.meta.url)

/** Kilobytes (1000 bytes) of each minified bundle. */
type Kilobytes = Readonly<Record<string, number>>

/** The size of every bundle that is deployed. */
export function kilobytesOf(metafile: Metafile): Kilobytes {
  const sizes = Object.keys(entryPoints).map((name) => [name, Math.round(bundleContents(metafile, name).bytes / 1000)])
  return Object.fromEntries(sizes)
}

/** The budget of each bundle: a tenth more than its size when the report was last written. */
export async function readBudgets(): Promise<Kilobytes> {
  const written = z.record(z.string(), z.number()).parse(JSON.parse(await readFile(budgetsFile, 'utf8')))
  return Object.fromEntries(Object.entries(written).map(([name, kilobytes]) => [name, kilobytes * 1.1]))
}
