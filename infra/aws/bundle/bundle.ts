import { existsSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { lateParts, linked, type Part, partEntries, parts, partsOf } from './lateParts.ts'
import { leanCalls } from './leanCalls.ts'
import { leanModules, leanZod } from './leanModules.ts'

/** Returns the directory of a function's `handler.mjs`, by the function's name. */
export type CodeDirectory = (name: string) => string

const root = join(import.meta.dirname, '..', '..', '..')

/** @see buildBundles */
export async function bundle(entryPoints: Readonly<Record<string, string>>, outdir: string): Promise<CodeDirectory> {
  await buildBundles(entryPoints, outdir)
  return (name) => join(outdir, name)
}

/**
 * Bundles every entry point (name -> TypeScript file) into `<outdir>/<name>/handler.mjs`: a minified ES module for Node 24 with its source
 * map, and beside it the parts that the function loads when it first uses them.
 * @returns esbuild's metafile: every file in the bundles with its bytes, and every import left; paths start at the project's root
 * @throws Error that names every entry point whose file is missing; esbuild's own error if code does not compile
 */
export async function buildBundles(entryPoints: Readonly<Record<string, string>>, outdir: string): Promise<Metafile> {
  const missing = Object.entries(entryPoints).filter(([, file]) => !existsSync(file))
  if (missing.length > 0) {
    throw new Error(`No code to bundle: ${missing.map(([name, file]) => `${name} (${file})`).join(', ')}`)
  }
  // A single call reads each package once, and takes half the time of a call per function.
  const [handlers, ...late] = await Promise.all([
    build({
      ...options,
      entryPoints: Object.entries(entryPoints).map(([name, file]) => ({ in: file, out: `${name}/handler` })),
      outdir,
      plugins: [leanModules, leanCalls, leanZod, lateParts],
      // If a name were missing in the replacement of a package, it would be undefined at run time.
      logOverride: { 'import-is-undefined': 'error' },
    }),
    // Stripe's client shares only Node's modules with AWS's clients, and each would be another file to read. The client of SES speaks
    // another protocol: half of it would be in the file that the other clients share.
    ...[...parts.map((part) => [part]), sharing].map((together) =>
      build({
        ...options,
        entryPoints: together.map((part) => ({ in: `part:${part}`, out: part })),
        outdir: join(outdir, together.length > 1 ? sharedFolder : partsFolder),
        // Code that two clients share goes into its own file.
        splitting: together.length > 1,
        chunkNames: 'shared-[hash]',
        plugins: [leanModules, leanCalls, partEntries],
      }),
    ),
  ])
  return withParts(handlers.metafile, mergeMetafiles(late.map(({ metafile }) => metafile)))
}

const partsFolder = '.parts'

/** Clients that share a file. A function with two of them reads the shared code once; a function with only one reads a single file. */
const sharing: readonly Part[] = ['dynamodb', 'kms', 'secretsmanager']
const sharedFolder = '.shared-parts'

/** A minified ES module for Lambda's Node, which prints only esbuild's errors. */
export const lambdaModule = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // esbuild can shake the ES modules of packages: the DynamoDB client is 326 KB instead of 514 KB, and imports 9 ms faster.
  mainFields: ['module', 'main'],
  logLevel: 'error',
} as const satisfies BuildOptions

const options = {
  ...lambdaModule,
  outExtension: { '.js': '.mjs' },
  // The code does not name its source map: if it did, Node would take 11 ms to load it at a cold start. Apply it when you read a trace.
  sourcemap: 'external',
  metafile: true,
  absWorkingDir: root,
} as const satisfies BuildOptions

/** Copies the parts that a bundle loads, and their shared files, beside it. The metafile then lists them as outputs of the function. */
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
