import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

const root = fileURLToPath(new URL('../../', import.meta.url))
const text = readFileSync(join(root, 'package-lock.json'), 'utf8')

/** The packages installed below a folder of the project, by their paths in the lock file. Links to workspaces are left out. */
function installedBelow(folder: string): string[] {
  const modules = join(folder, 'node_modules')
  if (!existsSync(join(root, modules))) return []
  const foldersOf = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : [],
    )
  const packages = foldersOf(modules).flatMap((name) =>
    name.startsWith('@') ? foldersOf(`${modules}/${name}`).map((inScope) => `${name}/${inScope}`) : [name],
  )
  return packages.flatMap((name) => [`${modules}/${name}`, ...installedBelow(`${modules}/${name}`)])
}

describe('The lock file', () => {
  const packages = Object.entries(lockSchema.parse(JSON.parse(text)).packages)
  const paths = new Set(packages.map(([path]) => path))

  it('locks every platform’s optional packages, without which `npm ci` refuses it where one cannot be looked up', () => {
    const missing = packages.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !paths.has(`node_modules/${name}`) && !paths.has(`${path}/node_modules/${name}`),
      ),
    )
    expect(missing).toEqual([])
  })

  it('names every folder that is installed, so that `npm ci` runs nothing that was not locked', () => {
    const projects = [...paths].filter((path) => !path.includes('node_modules'))
    const installed = projects.flatMap(installedBelow)
    expect(installed.length).toBeGreaterThan(100)
    expect(installed.filter((path) => !paths.has(path))).toEqual([])
  })

  it('has the address of every package, without which `npm ci` asks the registry for the package’s list of versions too', () => {
    const fetched = packages.filter(([, { integrity }]) => integrity !== undefined)
    expect(fetched.length).toBeGreaterThan(100)
    const elsewhere = fetched.filter(([, { resolved }]) => !resolved?.startsWith('https://registry.npmjs.org/'))
    expect(elsewhere.map(([path]) => path)).toEqual([])
  })
})
