import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const relativeImport = /(from ')\.\/(\w+)\.ts'/g

/**
 * Writes only the declarations of the package's exports: the other files import bundled packages.
 * @param client the package's folder
 * @param dist their folder
 */
export async function writeDeclarations(client: string, dist: string): Promise<void> {
  const options = ['--declaration', '--emitDeclarationOnly', '--outDir', dist]
  await run(join(client, 'node_modules/.bin/tsc'), ['--project', client, ...options])
  const reached = new Set<string>()
  await follow('index')
  const written = (await readdir(dist)).filter((name) => name.endsWith('.d.ts'))
  await Promise.all(written.filter((name) => !reached.has(name.slice(0, -5))).map((name) => rm(join(dist, name))))

  async function follow(name: string): Promise<void> {
    if (reached.has(name)) return
    reached.add(name)
    const file = join(dist, `${name}.d.ts`)
    const text = await readFile(file, 'utf8')
    // As compilers older than imports of `.ts` read it too.
    await writeFile(file, text.replace(relativeImport, "$1./$2.js'"))
    for (const [, , next = ''] of text.matchAll(relativeImport)) await follow(next)
  }
}
