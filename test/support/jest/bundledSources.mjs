import { globSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { packages } from './bundlePackages.mjs'

const root = join(import.meta.dirname, '..', '..', '..')

/** Handlers are left to Jest: they wait for their dependencies at the top level, and the local stack imports them by name. */
const bundled = [
  'lib/**/*.ts',
  'functions/*/contract.ts',
  'infra/{data,manifest}/*.ts',
  'infra/{listenOnLoopback,manifest}.ts',
  'infra/stripe/{seedCatalog,stripeClient}.ts',
  'infra/emulators/*.ts',
  'infra/emulators/{kms,openid,ses}/*.ts',
  'infra/emulators/stripe/index.ts',
  'infra/emulators/stripe/{billing,core,faults,invoices,page,params,payments,resources,server,state,subscriptions,wire}/*.ts',
]
/** The command of the emulator. */
const command = ['cli.ts', 'runStripe.ts'].map((file) => join('server', file))

const files = () => globSync(bundled, { cwd: root }).filter((file) => !command.some((part) => file.endsWith(part)))

let paths
/** Whether a source is in the bundle, so that its imports are taken from there. */
export function isBundled(path) {
  paths ??= new Set(files().map((file) => join(root, file)))
  return paths.has(path)
}

/** The name of a source in the bundle. */
export const nameInBundle = (path) => relative(root, path).replaceAll(sep, '/')

/** In a script, `import.meta` is nothing: each source gets its own values as text. */
const ownUrls = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(join(path, '..'))),
      loader: 'ts',
    }))
  },
}

/** Everything else would be loaded twice: in the bundle, and by Jest for the tests. */
const nothingElse = {
  name: 'nothing-else',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^\./ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolved') return undefined
      const found = await resolve(path, { resolveDir, kind, pluginData: 'resolved' })
      if (found.path.endsWith('.ts') && !isBundled(found.path))
        return { errors: [{ text: `${nameInBundle(found.path)} is not among the bundled sources` }] }
      return found
    })
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || path === 'stripe-emulator' || path.startsWith('node:')) return undefined
      if (packages.includes(path)) return { path, external: true }
      return { errors: [{ text: `${path} is not among the bundled packages` }] }
    })
  },
}

/**
 * Writes most sources of the service and of the emulators into one script, which `plainGlobals.cjs` runs in the context of each test file. A stack
 * is 400 modules, and Jest links each of them anew in every test file.
 */
export async function bundleSources(outfile) {
  const entries = files().map(
    (file) => `'${file.replaceAll(sep, '/')}': () => require('./${file.replaceAll(sep, '/')}')`,
  )
  await build({
    stdin: { contents: `module.exports = { ${entries.join(',\n')} }`, resolveDir: root },
    absWorkingDir: root,
    outfile,
    bundle: true,
    plugins: [ownUrls, nothingElse],
    format: 'cjs',
    // A script has no modules to import: what is loaded late is required.
    supported: { 'dynamic-import': false },
    // As Jest would load them: all, and in their order.
    ignoreAnnotations: true,
    platform: 'node',
    target: 'node24',
    sourcemap: 'linked',
    sourcesContent: false,
  })
}
