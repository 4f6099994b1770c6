import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { buildBundles, type CodeDirectory } from '../aws/bundle/bundle.ts'
import { entryPoints } from '../aws/bundle/entryPoints.ts'

export interface BundledFunctions {
  /** Of the functions, and of `bare`. */
  readonly codeDirectory: CodeDirectory
  /** The runtime client that starts a function's process. */
  readonly bootstrap: string
  /** @see buildBundles */
  readonly metafile: Metafile
  /** Removes the bundles. */
  close(): Promise<void>
}

/**
 * The bundles exactly as they are deployed, in a directory of their own, with what it takes to run them.
 * @param names of functions; every function that is deployed if left out
 */
export async function bundleFunctions(names: readonly string[] = Object.keys(entryPoints)): Promise<BundledFunctions> {
  const outdir = await mkdtemp(join(tmpdir(), 'bundles-'))
  const close = () => rm(outdir, { recursive: true })
  const codeDirectory = (name: string) => join(outdir, name)
  const bare = join(import.meta.dirname, 'bareHandler.ts')
  const bootstrap = join(import.meta.dirname, 'bootstrap.ts')
  try {
    const chosen = Object.fromEntries(Object.entries(entryPoints).filter(([name]) => names.includes(name)))
    const metafile = await buildBundles({ ...chosen, bare, bootstrap }, outdir)
    return { codeDirectory, bootstrap: join(codeDirectory('bootstrap'), 'handler.mjs'), metafile, close }
  } catch (error) {
    await close()
    throw error
  }
}
