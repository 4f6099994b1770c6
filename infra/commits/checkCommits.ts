import { styleText } from 'node:util'
import { git } from './git.ts'
import { runScript, staleFiles } from './runScripts.ts'
import { openTempWorktree, type TempWorktree } from './tempWorktree.ts'

/** How many of the last commits are checked if neither a range nor `origin/main` is there. */
const LAST_COMMITS = 10

/**
 * `npm run check:commits [-- <range> | <number>]`: checks out each commit of a range, or each of the last commits, in a temporary worktree
 * and runs its own scripts there. A commit passes if its types do and its generated files are current. Merges are left out.
 */
async function main(): Promise<void> {
  const root = await git('.', 'rev-parse', '--show-toplevel')
  const commits = await listCommits(root, process.argv[2])
  const worktree = await openTempWorktree(root)
  const stop = () => void worktree.close().finally(() => process.exit(130))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  let failures = 0
  try {
    for (const commit of commits) {
      const faults = await faultsOf(worktree, commit)
      if (faults.length > 0) failures += 1
      const verdict = faults.length === 0 ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
      console.log(
        [`${verdict} ${await git(root, 'show', '--no-patch', '--format=%h %s', commit)}`, ...faults].join('\n       '),
      )
    }
  } finally {
    await worktree.close()
  }
  console.log(`${commits.length - failures} of ${commits.length} commits pass`)
  process.exitCode = failures === 0 ? 0 : 1
}

/** Oldest first. */
async function listCommits(root: string, given: string | undefined): Promise<string[]> {
  const range = given ?? ((await hasMain(root)) ? 'origin/main..HEAD' : String(LAST_COMMITS))
  const which = /^\d+$/.test(range) ? [`--max-count=${range}`, 'HEAD'] : [range]
  const listed = await git(root, 'rev-list', '--no-merges', '--reverse', ...which, '--')
  return listed.split('\n').filter(Boolean)
}

function hasMain(root: string): Promise<boolean> {
  return git(root, 'rev-parse', '--verify', '--quiet', 'origin/main').then(
    () => true,
    () => false,
  )
}

async function faultsOf(worktree: TempWorktree, commit: string): Promise<string[]> {
  await worktree.checkOut(commit)
  const faults = [...(await runScript(worktree.folder, 'types')), ...(await staleFiles(worktree))]
  if (faults.length === 0) return []
  const locked = await git(worktree.folder, 'diff', '--name-only', commit, 'HEAD', '--', 'package-lock.json')
  return locked === '' ? faults : [...faults, 'Its package-lock.json differs from HEAD: other packages are installed']
}

await main()
