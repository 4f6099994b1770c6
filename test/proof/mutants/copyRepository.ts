import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const copied = ['lib', 'functions', 'infra', 'test', 'events', 'package.json', 'tsconfig.json', 'cdk.json', 'README.md']

/** Runs `use` in a private copy of the repository that is gone afterwards; the packages are shared by a link. */
export async function withCopy<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'mutant-'))
  try {
    await Promise.all(copied.map((name) => cp(join(root, name), join(folder, name), { recursive: true })))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
