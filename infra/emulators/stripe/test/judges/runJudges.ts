import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readFigures, writeFigures } from '../support/writeFigures.ts'
import { type Judge, judges } from './judges.ts'

/** Why a judge cannot be had on this machine. */
function reasonWithout({ needs, missing }: Judge): string | undefined {
  const lacking = needs.filter((program) => spawnSync(program, ['--version']).error !== undefined)
  return lacking.length > 0 ? `${lacking.join(' and ')} is not installed` : missing?.()
}

/** The row of a judge in the table. Undefined, and said so, if it cannot be had. */
async function rowOf(judge: Judge): Promise<string | undefined> {
  const { name, run } = judge
  const reason = reasonWithout(judge)
  if (reason !== undefined) {
    console.log(`SKIPPED: ${name}, for ${reason}`)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'judge-'))
  try {
    const { version, result } = await run(folder)
    console.log(`judge ${name} ${version}: ${result}`)
    return `| \`${name}\` | ${version} | ${new Date().toISOString().slice(0, 10)} | ${result} |`
  } catch (error) {
    console.error(`judge ${name}: FAILED ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * `npm run judges -w stripe-emulator -- [--check] [name...]`: lets the judges use the emulator, and writes the rows of those that pass into the
 * table of the README, unless `--check` is given. Exits 1 if a judge finds anything.
 */
async function runJudges(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } })
  const wanted = judges.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const rows = new Map(readFigures('judges').map((row) => [/^\| `([^`]+)`/.exec(row)?.[1], row]))
  for (const one of wanted) {
    const row = await rowOf(one)
    if (row !== undefined) rows.set(one.name, row)
  }
  if (values.check) return
  const shown = judges.flatMap(({ name }) => rows.get(name) ?? [])
  writeFigures('judges', ['| judge | version | date | result |', '| --- | --- | --- | --- |', ...shown])
}

runJudges().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
