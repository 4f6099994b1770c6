import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printColumns } from '../support/source/printColumns.ts'
import { type Counts, type DeepCheck, deepChecks } from './deepChecks.ts'

// `npm run check:deep [-- --seed N] [--only NAME]... [--list]`: runs everything that is too long for `npm test`, one check after the other, and
// prints a table. A check that this machine cannot run is named with its reason. Exits 1 if a check fails or finds something.
const root = join(import.meta.dirname, '..', '..')
const logs = join(root, 'node_modules', '.cache', 'check-deep')

/** What became of a check. */
interface Outcome {
  readonly check: DeepCheck
  readonly counts: Counts | undefined
  readonly seconds: number
  /** What could not be run, with reasons. */
  readonly missing: readonly string[]
  readonly failed: boolean
}

/** How programs and tests say that they lack something. */
const lacks = /(?:^SKIPPED: |not checked: |is skipped: |^Skipped, for )(.+)$/gm

async function runCheck(check: DeepCheck, seed: number): Promise<Outcome> {
  const reason = check.missing?.()
  if (reason !== undefined) return { check, counts: undefined, seconds: 0, missing: [reason], failed: false }
  const started = performance.now()
  const { output, code } = await run(check.command(seed), join(logs, `${check.name}.log`), check.env?.(seed))
  const seconds = (performance.now() - started) / 1000
  const missing = [...new Set([...output.matchAll(lacks)].map(([, text = '']) => text.trim()))]
  const counts = check.count(output)
  const failed = code !== 0 || (counts?.findings ?? 0) > 0
  if (failed) process.stdout.write(`${output.slice(-8000)}\n`)
  return { check, counts, seconds, missing, failed }
}

/** Runs Node in the project's folder, with its output in a file, too. */
function run(
  args: readonly string[],
  log: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ output: string; code: number | null }> {
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const file = createWriteStream(log)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      output += text
      file.write(text)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      file.end()
      resolve({ output, code })
    })
  })
}

function stateOf({ counts, missing, failed }: Outcome): string {
  if (failed) return 'FAILED'
  return counts === undefined && missing.length > 0 ? 'not run' : 'passed'
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    only: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const unknown = values.only?.filter((name) => !deepChecks.some((check) => check.name === name)) ?? []
if (unknown.length > 0) throw new Error(`no check is called ${unknown.join(', ')}: see --list`)
const chosen = deepChecks.filter(({ name }) => values.only?.includes(name) ?? true)

if (values.list) printColumns(chosen.map((check) => [check.name, `node ${check.command(seed).join(' ')}`]))
else {
  mkdirSync(logs, { recursive: true })
  process.stdout.write(`Seed ${seed}. What each check prints is in ${logs}.\n\n`)
  const outcomes: Outcome[] = []
  for (const check of chosen) {
    const outcome = await runCheck(check, seed)
    outcomes.push(outcome)
    process.stdout.write(`${check.name}: ${stateOf(outcome)} (${outcome.seconds.toFixed(0)} s)\n`)
    for (const reason of outcome.missing) process.stdout.write(`  not run: ${reason}\n`)
  }
  process.stdout.write('\n')
  printColumns([
    ['check', 'state', 'explored', 'findings', 'seconds'],
    ...outcomes.map((outcome) => [
      outcome.check.name,
      stateOf(outcome),
      outcome.counts === undefined ? '' : `${outcome.counts.cases} ${outcome.check.unit}`,
      `${outcome.counts?.findings ?? ''}`,
      outcome.seconds.toFixed(0),
    ]),
  ])
  process.exitCode = outcomes.some(({ failed }) => failed) ? 1 : 0
}
