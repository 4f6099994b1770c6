import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * Bundles a file with its packages as they are, without what `infra/aws/bundle` takes out of them: the SDKs of a floor are those that their
 * documents describe.
 * @returns the bundle, in `directory`
 * @throws esbuild's own error where it does not compile
 */
export async function bundlePlain(file: string, directory: string): Promise<string> {
  const outfile = join(directory, 'handler.mjs')
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    // For the packages that are CommonJS, which an ES module gives no require().
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)` },
    logLevel: 'error',
  })
  return outfile
}
