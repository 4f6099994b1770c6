import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { files } from '../page/servePage.ts'
import { bundledScript, scripts } from '../page/serveStripeJs.ts'

const source = new URL('../', import.meta.url)
const target = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'stripe-emulator-'))}/`)
const at = (path: string, base = source) => fileURLToPath(new URL(path, base))

/**
 * `npm run pack -- FOLDER` writes the package that is installed, as `stripe-emulator-<version>.tgz`: bundles in JavaScript,
 * because Node strips no types in node_modules, that need no other package. Only the types of the lower level name those of `stripe` and `zod`.
 */
async function packEmulator(): Promise<void> {
  for (const folder of ['server', 'page', 'stripe-js']) mkdirSync(at(folder, target), { recursive: true })
  const bundled = { bundle: true, platform: 'node', format: 'esm', target: 'node22', splitting: true } as const
  await build({
    ...bundled,
    entryPoints: { index: at('index.ts'), cli: at('server/cli.ts') },
    outdir: at('server', target),
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.filename)" },
    external: ['esbuild'],
    logLevel: 'warning',
  })
  for (const file of [...files, 'screenshot.png']) copyFileSync(at(`page/${file}`), at(`page/${file}`, target))
  for (const file of globSync('*.{html,css}', { cwd: at('stripe-js') }))
    copyFileSync(at(`stripe-js/${file}`), at(`stripe-js/${file}`, target))
  for (const script of scripts)
    writeFileSync(at(`stripe-js/${script.replace(/ts$/, 'js')}`, target), await bundledScript(script))
  writeTypes()
  for (const file of ['README.md', 'coverage.txt']) copyFileSync(at(file), at(file, target))
  writeFileSync(at('package.json', target), `${JSON.stringify(manifestOfPackage(), null, 2)}\n`)
  const [destination = '.'] = process.argv.slice(2)
  const args = ['pack', '--silent', '--pack-destination', resolve(destination), at('', target)]
  const packed = execFileSync('npm', args, { encoding: 'utf8' }).trim()
  rmSync(target, { recursive: true })
  console.log(resolve(destination, packed))
}

/** Writes the types of everything that the package exports. */
function writeTypes(): void {
  const compiler = fileURLToPath(
    new URL('bin/tsc', pathToFileURL(createRequire(source).resolve('typescript/package.json'))),
  )
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions']
  const args = [compiler, '-p', at('tsconfig.types.json'), ...emit, '--outDir', at('types', target)]
  execFileSync(process.execPath, args, { stdio: 'inherit' })
}

function manifestOfPackage(): object {
  const { name, version, type, license, description, dependencies } = JSON.parse(
    readFileSync(at('package.json'), 'utf8'),
  )
  const optional = { stripe: dependencies.stripe, zod: dependencies.zod }
  return {
    name,
    version,
    type,
    license,
    description,
    bin: { 'stripe-emulator': 'server/cli.js' },
    exports: { '.': { types: './types/index.d.ts', default: './server/index.js' } },
    engines: { node: '>=22.3' },
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((peer) => [peer, { optional: true }])),
  }
}

packEmulator().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
