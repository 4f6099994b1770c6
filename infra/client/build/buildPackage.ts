import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import * as z from 'zod'
import { writeDeclarations } from './writeDeclarations.ts'

const run = promisify(execFile)
const client = fileURLToPath(new URL('..', import.meta.url))
const root = join(client, '../..')
const packed = z.tuple([z.object({ filename: z.string() })])

/**
 * Bundles the client into a file without imports, with its declarations, and packs both.
 * @param folder the folder of the packed file
 * @returns the path of the packed file, which `npm install` and `npm publish` take
 */
export async function buildPackage(folder: string): Promise<string> {
  const dist = join(client, 'dist')
  await rm(dist, { recursive: true, force: true })
  const [notices] = await Promise.all([bundleClient(dist), writeDeclarations(client, dist)])
  await writeFile(join(dist, 'THIRD_PARTY_NOTICES.txt'), notices)
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: client })
  const [{ filename }] = packed.parse(JSON.parse(stdout))
  return join(folder, filename)
}

/** Writes the client without its declarations. Returns the licenses of the bundled packages. */
export async function bundleClient(dist: string): Promise<string> {
  const { metafile } = await build({
    entryPoints: [join(client, 'src/index.ts')],
    outfile: join(dist, 'index.js'),
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    // A module of Node's own would not be found: browsers have none.
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    logLevel: 'warning',
  })
  const packages = new Set(
    Object.keys(metafile.inputs).flatMap((file) => /^(node_modules\/[^/]+)\//.exec(file)?.[1] ?? []),
  )
  const licenses = await Promise.all([...packages].sort().map(licenseOf))
  return licenses.join('\n\n')
}

async function licenseOf(folder: string): Promise<string> {
  const files = ['license', 'LICENSE', 'LICENSE.md'].map((name) => join(root, folder, name))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => undefined)))
  const text = texts.find((one) => one !== undefined)
  if (text === undefined) throw new Error(`${folder} has no license file`)
  return `${folder.slice(dirname(folder).length + 1)}\n\n${text}`
}
