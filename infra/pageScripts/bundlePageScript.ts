import { build } from 'esbuild'

/** A script of a hosted page as one text, small enough to be sent in the page. @throws Error for sources that do not compile */
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
