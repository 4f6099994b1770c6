import { build } from 'esbuild'

/** Bundles a script of a hosted page into a text that is small enough to embed in the page. @throws Error if the sources do not compile */
export async function bundlePageScript(name: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: new URL('.', import.meta.url).pathname,
    entryPoints: [`src/${name}.ts`],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text.trim() ?? ''
}
