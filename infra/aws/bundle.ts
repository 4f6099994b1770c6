import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Answers the directory that holds `handler.mjs` of the function so named. */
export type CodeDirectory = (name: string) => string

// esbuild leaves require() of CommonJS dependencies as it is, and an ES module has none of its own.
const requireBanner =
  "import { createRequire as createBundleRequire } from 'node:module';const require = createBundleRequire(import.meta.url);"

/**
 * Bundles every entry point (name -> TypeScript file) into `<outdir>/<name>/handler.mjs`, minified ES modules for Node 24, each with
 * its source map beside it.
 * @throws Error naming every entry point whose file is missing; esbuild's own error where one does not compile.
 */
export async function bundle(entryPoints: Readonly<Record<string, string>>, outdir: string): Promise<CodeDirectory> {
  const missing = Object.entries(entryPoints).filter(([, file]) => !existsSync(file))
  if (missing.length > 0) {
    throw new Error(`No code to bundle: ${missing.map(([name, file]) => `${name} (${file})`).join(', ')}`)
  }
  await build({
    entryPoints: Object.entries(entryPoints).map(([name, file]) => ({ in: file, out: `${name}/handler` })),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    sourcemap: 'external',
    banner: { js: requireBanner },
    logLevel: 'error',
  })
  return (name) => join(outdir, name)
}
