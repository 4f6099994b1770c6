import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSourceTree } from '../../support/source/sourceTree.ts'
import { withCopy } from './copyRepository.ts'
import { editsOf, type GuardMutant } from './guardMutant.ts'
import { guardMutants } from './guardMutants.ts'
import { mutate } from './mutate.ts'
import { runJest, type TestRun } from './runJest.ts'

/** How a mutant fared: the tests of each named file that failed. */
interface Verdict {
  mutant: GuardMutant
  runs: { file: string; run: TestRun }[]
  seconds: number
}

/**
 * `node test/proof/mutants/runMutants.ts [--list] [--only NAME]... [--every N --seed N]`: takes each guard away from a copy of the code, or each
 * so many-th guard beginning with the seed's, and runs the tests that must notice. The exit code is 1 where one of the named files passes on a mutant, or fails without it.
 */
async function main(): Promise<boolean> {
  const number = { type: 'string', default: '0' } as const
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      list: { type: 'boolean' },
      every: { ...number, default: '1' },
      seed: number,
    },
  })
  const [every, seed] = [Number(values.every), Number(values.seed)]
  const unknown = values.only?.filter((name) => !guardMutants.some((mutant) => mutant.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`no mutant is called ${unknown.join(', ')}`)
  const named = guardMutants.filter(({ name }) => values.only?.includes(name) ?? true)
  const chosen = named.filter((_, index) => index % every === seed % every)
  if (values.list) {
    for (const { name, guard, because } of chosen)
      console.log(because ? `${name}: ${guard}\n  ${because}` : `${name}: ${guard}`)
    return true
  }

  const sound = await passUnmutated(new Set(chosen.flatMap(({ caughtBy }) => caughtBy)))
  if (!sound) return false
  const verdicts: Verdict[] = []
  for (const mutant of chosen) {
    const verdict = await judge(mutant)
    verdicts.push(verdict)
    print(verdict)
  }
  const survivors = verdicts.filter((verdict) => !isCaught(verdict))
  console.log(`${verdicts.length - survivors.length} of ${verdicts.length} mutants are caught`)
  return survivors.length === 0
}

async function passUnmutated(files: ReadonlySet<string>): Promise<boolean> {
  const started = performance.now()
  const { passed, failed, broken } = await withCopy((folder) => runJest(folder, [...files]))
  for (const problem of [...failed, ...broken]) console.log(`fails without any mutant: ${problem}`)
  console.log(`without any mutant: ${passed} tests of ${files.size} files pass (${secondsSince(started)} s)`)
  return failed.length === 0 && broken.length === 0
}

function judge(mutant: GuardMutant): Promise<Verdict> {
  const started = performance.now()
  return withCopy(async (folder) => {
    const tree = openSourceTree(`${folder}/`)
    try {
      for (const edit of editsOf(mutant)) await writeFile(join(folder, edit.file), mutate(tree, edit))
    } finally {
      tree.close()
    }
    const runs: Verdict['runs'] = []
    for (const file of mutant.caughtBy) runs.push({ file, run: await runJest(folder, [file]) })
    return { mutant, runs, seconds: secondsSince(started) }
  })
}

/** By every file that is named: one that does not notice has no place in the list. */
function isCaught({ runs }: Verdict): boolean {
  return runs.every(({ run }) => run.failed.length > 0 && run.broken.length === 0)
}

function print(verdict: Verdict): void {
  const { mutant, runs, seconds } = verdict
  console.log(`${isCaught(verdict) ? 'caught  ' : 'SURVIVED'}  ${mutant.name} (${mutant.guard}), ${seconds} s`)
  for (const { file, run } of runs) {
    const [first, ...others] = run.failed
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    console.log(`    ${file}: ${run.broken[0] ?? first ?? 'NOTHING FAILS'}${more}`)
  }
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 1000)
}

main().then(
  (caught) => {
    process.exitCode = caught ? 0 : 1
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  },
)
