import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const root = join(import.meta.dirname, '..', '..', '..')
const cdkJson = z.object({ output: z.string(), context: z.record(z.string(), z.unknown()) })

/** The output directory and the context of cdk.json. The CDK's own command line passes them on by itself. */
export function cdkSettings(): { readonly outdir: string; readonly context: Record<string, unknown> } {
  const { output, context } = cdkJson.parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')))
  return { outdir: join(root, output), context }
}
