import type { Metafile } from 'esbuild'

/** What is in one function's bundle. Sizes are bytes after minifying. */
export interface BundleContents {
  readonly bytes: number
  /** The function's own file, from the project's root. */
  readonly entryPoint: string
  /** Every file that has a part in it, and how large that is. */
  readonly files: ReadonlyMap<string, number>
  /** What it still imports when it runs. */
  readonly imports: readonly string[]
}

/**
 * Finds a function's bundle in esbuild's metafile.
 * @throws Error where there is none of this name
 */
export function bundleContents({ outputs }: Metafile, name: string): BundleContents {
  const [, output] = Object.entries(outputs).find(([file]) => file.endsWith(`/${name}/handler.mjs`)) ?? []
  if (output?.entryPoint === undefined) throw new Error(`No function is called ${name}`)
  const files = Object.entries(output.inputs)
    .map(([file, { bytesInOutput }]) => [file, bytesInOutput] as const)
    .filter(([, bytes]) => bytes > 0)
  return {
    bytes: output.bytes,
    entryPoint: output.entryPoint,
    files: new Map(files),
    imports: output.imports.map(({ path }) => path),
  }
}

/** The package that a file belongs to, or the folder of a file of our own. */
export function unitOf(file: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]
  return inPackage ?? file.replace(/\/[^/]+$/, '')
}
