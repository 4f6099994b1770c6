import { cp, mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')
const sources = ['functions', 'lib', 'infra', 'events', 'package.json', 'tsconfig.json', '.biome.json', '.gitignore']
const modules = ['node_modules', join('infra', 'client', 'node_modules')]

/** Copies the project without its tests to a temporary folder, with the installed packages. Returns the folder. */
export async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'contributing-'))
  const filter = (file: string) => !modules.some((folder) => file.startsWith(join(root, folder)))
  for (const name of sources) await cp(join(root, name), join(copy, name), { recursive: true, filter })
  for (const folder of modules) await symlink(join(root, folder), join(copy, folder))
  return copy
}
