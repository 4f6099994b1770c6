import { existsSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { lateParts, linked, type Part, partEntries, parts, partsOf } from './lateParts.ts'
import { leanModules, leanZod } from './leanModules.ts'

/** Answers the directory that holds `handler.mjs` of the function so named. */
export type CodeDirectory = (name: string) => string

const root = join(import.meta.dirname, '..', '..', '..')

/** @see buildBundles */
export async function bundle(entryPoints: Readonly<Record<string, string>>, outdir: string): Promise<CodeDirectory> {
  await buildBundles(entryPoints, outdir)
  return (name) => join(outdir, name)
}

/**
 * Bundles every entry point (name -> TypeScript file) into `<outdir>/<name>/handler.mjs`, minified ES modules for Node 24, each with
 * its source map beside it, and beside them the parts that the function loads when it first uses them.
 * @returns what esbuild knows of the bundles: every file in them and its bytes, every import left; paths are from the project's root
 * @throws Error naming every entry point whose file is missing; esbuild's own error where one does not compile.
 */
export async function buildBundles(entryPoints: Readonly<Record<string, string>>, outdir: string): Promise<Metafile> {
  const missing = Object.entries(entryPoints).filter(([, file]) => !existsSync(file))
  if (missing.length > 0) {
    throw new Error(`No code to bundle: ${missing.map(([name, file]) => `${name} (${file})`).join(', ')}`)
  }
  // One call for all: it reads a package once, and takes half the time of a call each.
  const [handlers, ...late] = await Promise.all([
    build({
      ...options,
      entryPoints: Object.entries(entryPoints).map(([name, file]) => ({ in: file, out: `${name}/handler` })),
      outdir,
      plugins: [leanModules, leanZod, lateParts],
      // What is missing in place of a package would be undefined when it runs.
      logOverride: { 'import-is-undefined': 'error' },
    }),
    // Stripe's client has nothing in common with AWS's but Node's modules, each of which would be a file to read; that of SES speaks
    // another protocol, half of which would be in the file that the others share.
    ...[...parts.map((part) => [part]), sharing].map((together) =>
      build({
        ...options,
        entryPoints: together.map((part) => ({ in: `part:${part}`, out: part })),
        outdir: join(outdir, together.length > 1 ? sharedFolder : partsFolder),
        // What two clients share is in a file of its own.
        splitting: together.length > 1,
        chunkNames: 'shared-[hash]',
        plugins: [leanModules, partEntries],
      }),
    ),
  ])
  return withParts(handlers.metafile, mergeMetafiles(late.map(({ metafile }) => metafile)))
}

const partsFolder = '.parts'

/** Clients of which a function that has two reads what they share once; one that has one of them reads one file. */
const sharing: readonly Part[] = ['dynamodb', 'kms', 'secretsmanager']
const sharedFolder = '.shared-parts'

const options = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Packages' ES modules can be shaken: the DynamoDB client is 326 KB instead of 514 KB, 9 ms faster to import.
  mainFields: ['module', 'main'],
  // Beside the code and not named in it: a reader of stack traces applies it; Node would take 11 ms to load it at a cold start.
  sourcemap: 'external',
  metafile: true,
  absWorkingDir: root,
  logLevel: 'error',
} as const satisfies BuildOptions

/** Puts beside every bundle the parts that it loads, and what they share; esbuild's record then has them as outputs of the function. */
async function withParts(handlers: Metafile, late: Metafile): Promise<Metafile> {
  const outputs = { ...handlers.outputs }
  const made = Object.entries(late.outputs).filter(([file]) => file.endsWith('.mjs'))
  for (const [handler, output] of Object.entries(handlers.outputs)) {
    const used = partsOf(output)
    const shares = used.filter((part) => sharing.includes(part)).length > 1
    const needed = new Set(
      used.map((part) => join(shares && sharing.includes(part) ? sharedFolder : partsFolder, `${part}.mjs`)),
    )
    // A set grows while it is walked.
    for (const file of needed) {
      const [from, record] = made.find(([path]) => path.endsWith(`/${file}`)) ?? []
      if (from === undefined || record === undefined) throw new Error(`No part is called ${file}`)
      for (const { path } of record.imports) needed.add(join(sharedFolder, basename(path)))
      const to = join(dirname(handler), basename(file))
      await copyFile(join(root, from), join(root, to))
      await copyFile(join(root, `${from}.map`), join(root, `${to}.map`))
      outputs[to] = record
    }
  }
  for (const folder of new Set(made.map(([file]) => dirname(file)))) await rm(join(root, folder), { recursive: true })
  return { inputs: linked({ ...handlers.inputs, ...late.inputs }), outputs }
}

function mergeMetafiles(metafiles: readonly Metafile[]): Metafile {
  const merged = (key: 'inputs' | 'outputs') => Object.fromEntries(metafiles.flatMap((one) => Object.entries(one[key])))
  return { inputs: merged('inputs'), outputs: merged('outputs') }
}
