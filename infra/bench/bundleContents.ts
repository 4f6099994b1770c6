import { basename, dirname } from 'node:path'
import type { Metafile } from 'esbuild'

/** The contents of a function's bundle, including the parts that it loads late. Sizes are bytes after minifying. */
export interface BundleContents {
  readonly bytes: number
  /** The function's own file, from the project's root. */
  readonly entryPoint: string
  /** Every file with code in the bundle, and the bytes of that code. */
  readonly files: ReadonlyMap<string, number>
  /** The part that loads when the function starts. */
  readonly atStart: { readonly bytes: number; readonly files: ReadonlyMap<string, number> }
  /** Modules that it imports at run time, other than its own parts. */
  readonly imports: readonly string[]
}

/**
 * Finds a function's bundle in esbuild's metafile.
 * @throws Error if no function has this name
 */
export function bundleContents({ outputs }: Metafile, name: string): BundleContents {
  const own = Object.entries(outputs).filter(([file]) => file.endsWith('.mjs') && basename(dirname(file)) === name)
  const handler = own.find(([file]) => basename(file) === 'handler.mjs')?.[1]
  if (handler?.entryPoint === undefined) throw new Error(`No function is called ${name}`)
  const all = own.map(([, output]) => output)
  const beside = new Set(own.map(([file]) => basename(file)))
  return {
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    entryPoint: handler.entryPoint,
    files: filesIn(all),
    atStart: { bytes: handler.bytes, files: filesIn([handler]) },
    imports: all.flatMap(({ imports }) =>
      imports.map(({ path }) => path).filter((path) => !beside.has(basename(path))),
    ),
  }
}

function filesIn(outputs: readonly Metafile['outputs'][string][]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const { inputs } of outputs) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      if (bytesInOutput > 0) sizes.set(file, (sizes.get(file) ?? 0) + bytesInOutput)
    }
  }
  return sizes
}

/** The package that a file belongs to, or the folder of a file of our own. */
export function unitOf(file: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]
  return inPackage ?? file.replace(/\/[^/]+$/, '')
}
