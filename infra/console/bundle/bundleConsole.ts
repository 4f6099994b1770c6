import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { build } from 'esbuild'

/** A file of the console as a browser loads it. */
interface ConsoleFile {
  /** Below the console's base, without a slash in front: `assets/main-4F2K7QXA.js`. */
  readonly path: string
  /** A Content-Type. */
  readonly type: string
  readonly contents: Uint8Array
}

/** The result of a build: the files, and their sources. */
export interface ConsoleBundle {
  readonly files: readonly ConsoleFile[]
  /** Absolute paths, packages included. */
  readonly inputs: readonly string[]
}

const folder = new URL('../', import.meta.url)
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

/**
 * Bundles the console for a browser. Its assets carry a hash of their content in their names, so that they may be cached for
 * ever; `index.html` names them and may not be cached. The configuration, `config.json`, is not part of it.
 * @param base the path at which the console is served, with a slash at both ends: `/`
 * @throws Error for sources that do not compile
 */
export async function bundleConsole(base: string): Promise<ConsoleBundle> {
  const { pathname } = folder
  const { outputFiles, metafile } = await build({
    absWorkingDir: pathname,
    entryPoints: ['src/main.tsx'],
    outdir: 'dist',
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    charset: 'utf8',
    // Licenses of packages, in files beside the scripts.
    legalComments: 'external',
    metafile: true,
    write: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const assets = outputFiles.map(({ path, contents }) => ({
    path: relative(`${pathname}dist`, path),
    type: types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    contents,
  }))
  const named = (end: string) =>
    assets.find(({ path }) => path.startsWith('assets/main-') && path.endsWith(end))?.path ?? ''
  const { imports = [] } = metafile.outputs[`dist/${named('.js')}`] ?? {}
  const early = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path.replace('dist/', ''))
  const template = await readFile(new URL('index.html', folder), 'utf8')
  const index = template
    .replaceAll('{base}', base)
    .replaceAll('{script}', named('.js'))
    .replaceAll('{preloads}', early.map((path) => `<link rel="modulepreload" href="${path}">`).join('\n'))
    .replaceAll('{style}', named('.css'))
  const icon = await readFile(new URL('icon.svg', folder))
  return {
    files: [
      { path: 'index.html', type: 'text/html; charset=utf-8', contents: Buffer.from(index) },
      { path: 'icon.svg', type: 'image/svg+xml', contents: icon },
      ...assets,
    ],
    inputs: [`${pathname}index.html`, ...Object.keys(metafile.inputs).map((path) => pathname + path)],
  }
}
