import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as z from 'zod'
import type { TempWorktree } from './tempWorktree.ts'

const run = promisify(execFile)
const failed = z.object({ stdout: z.string(), stderr: z.string() })

/** The scripts of package.json that write generated files, each after what it reads: a generated file may be the source of another. */
const generators = [['openapi'], ['client', '--types'], ['docs']] as const

/** Runs the generators in a worktree. Returns what is wrong: the script that fails, or the files that were not current. */
export async function staleFiles(worktree: TempWorktree): Promise<string[]> {
  for (const [script, ...args] of generators) {
    const faults = await runScript(worktree.folder, script, ...args)
    if (faults.length > 0) return faults
  }
  const files = await worktree.changedFiles()
  return files.length === 0 ? [] : [`not current: ${files.join(', ')}`]
}

/** Runs a script of package.json. Returns the end of its output if it fails. */
export async function runScript(folder: string, script: string, ...args: string[]): Promise<string[]> {
  const given = ['--run', script, ...(args.length > 0 ? ['--', ...args] : [])]
  try {
    await run(process.execPath, given, { cwd: folder, maxBuffer: 100_000_000 })
    return []
  } catch (error) {
    const { stdout, stderr } = failed.parse(error)
    return [`npm run ${script} fails:`, ...`${stdout}${stderr}`.trim().split('\n').slice(-12)]
  }
}
