import { git } from './git.ts'
import { staleFiles } from './runScripts.ts'
import { openTempWorktree } from './tempWorktree.ts'

/** What generated files are made of, and the files themselves. */
const sources = /^(functions|lib|infra|events)\/|^package\.json$/

/** The hook `pre-commit`: refuses a commit without the generated files that its changes ask for. Checks what is staged, not the folder. */
async function main(): Promise<void> {
  const root = await git('.', 'rev-parse', '--show-toplevel')
  const staged = (await git(root, 'diff', '--cached', '--name-only')).split('\n')
  if (!staged.some((file) => sources.test(file))) return
  const tree = await git(root, 'write-tree')
  // Git gives its hooks variables that name this commit's index and folder: the worktree has its own.
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]
  const worktree = await openTempWorktree(root)
  try {
    await worktree.checkOut(tree)
    const faults = await staleFiles(worktree)
    if (faults.length === 0) return
    console.error(['This commit lacks generated files.', ...faults].join('\n  '))
    console.error('Run npm run openapi, npm run client and npm run docs, and stage what they write.')
    process.exitCode = 1
  } finally {
    await worktree.close()
  }
}

await main()
