import { mkdir, mkdtemp, readdir, readlink, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from './git.ts'

/** A worktree of the repository in a temporary folder, which runs with the packages that are installed. */
export interface TempWorktree {
  readonly folder: string
  /** Makes its files those of a commit or a tree. */
  checkOut(treeish: string): Promise<void>
  /** The files that differ from what was checked out, ignored files left out. */
  changedFiles(): Promise<string[]>
  close(): Promise<void>
}

/** Folders that hold installed packages. */
const packageFolders = ['node_modules', 'infra/client/node_modules']

/** @param root the top folder of the repository, after `npm ci` */
export async function openTempWorktree(root: string): Promise<TempWorktree> {
  const folder = await mkdtemp(join(tmpdir(), 'commits-'))
  const close = async () => {
    await git(root, 'worktree', 'remove', '--force', folder)
  }
  await git(root, 'worktree', 'add', '--quiet', '--detach', '--no-checkout', folder)
  try {
    for (const packages of packageFolders) await linkPackages(join(root, packages), join(folder, packages))
  } catch (error) {
    await close()
    throw error
  }
  return {
    folder,
    close,
    async checkOut(treeish) {
      await git(folder, 'read-tree', '--reset', '-u', treeish)
      await git(folder, 'clean', '--quiet', '-d', '--force', '--exclude', 'node_modules')
    },
    async changedFiles() {
      const listed = await git(folder, 'ls-files', '--modified', '--deleted', '--others', '--exclude-standard')
      return [...new Set(listed.split('\n').filter(Boolean))]
    },
  }
}

/** Links each package by itself: the packages of the workspace are links already, and lead to the worktree's own files. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  const entries = await readdir(from, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(from, entry.name)
    if (entry.name !== '.cache')
      await symlink(entry.isSymbolicLink() ? await readlink(path) : path, join(to, entry.name))
  }
}
