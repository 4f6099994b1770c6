import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { routes } from '../../wire/routes.ts'
import { apiVersion } from '../../wire/wire.ts'
import { createAnswerChecker, type Findings } from './checkAnswers.ts'
import { readSpec, type Spec } from './readSpec.ts'

const recordedSchema = z.object({
  method: z.string(),
  path: z.string(),
  status: z.number(),
  body: z.string(),
  test: z.string().optional(),
})

/** What to print about the answers of a run, and whether it fails the run. */
interface SpecReport {
  text: string
  failed: boolean
}

/**
 * Checks the answers that were recorded in `folder` against the file at `specPath`, of any version: what `explained.ts` does not explain
 * fails the run. Rejects on a file that cannot be read.
 */
export async function reportOnSpec(specPath: string, folder: string): Promise<SpecReport> {
  const spec = readSpec(await readFile(specPath, 'utf8'), routes)
  const checker = createAnswerChecker(spec)
  for (const file of await readdir(folder)) {
    for await (const line of createInterface({ input: createReadStream(join(folder, file)) })) {
      checker.check(recordedSchema.parse(JSON.parse(line)))
    }
  }
  const findings = checker.findings()
  return {
    text: [...summary(spec, findings), ...lines(findings)].join('\n'),
    failed: findings.mismatches.length > 0,
  }
}

function summary(
  { version, sha256, operations: all }: Spec,
  { answers, operations, schemas, mismatches }: Findings,
): string[] {
  const other = version === apiVersion ? '' : `, not the emulator's ${apiVersion}`
  return [
    `Stripe's OpenAPI file: version ${version}${other}`,
    `  sha256 ${sha256}`,
    `  ${answers} answers of ${operations.size} operations (of ${all.length} the emulator has) and ${schemas.size} schemas checked`,
    `  not asked for by any test: ${all.filter((name) => !operations.has(name)).join(', ') || 'none'}`,
    `  ${mismatches.length} mismatches`,
  ]
}

function lines({ mismatches }: Findings): string[] {
  return mismatches.map(
    ({ operation, where, what, count, test }) => `  ${count}x ${operation} ${where} ${what} [${test}]`,
  )
}
