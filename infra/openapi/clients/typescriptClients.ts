import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Check, CheckContext } from './check.ts'
import { fetched, run } from './run.ts'

const programs = fileURLToPath(new URL('../../../test/clients/', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** As strict as a careful user of the client; its declarations are checked too. */
const compilerOptions = {
  ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
  ...{ strict: true, noUncheckedIndexedAccess: true, allowImportingTsExtensions: true, noEmit: true, types: ['node'] },
}

/** openapi-typescript writes types only; openapi-fetch is its client. */
export const openapiTypescript: Check = {
  name: 'openapi-typescript',
  version: '7.13.0',
  async run(context) {
    await install(context, ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'])
    const output = join(context.directory, 'openapi-typescript/generated/schema.d.ts')
    await tool(context, 'openapi-typescript', [context.documentFile, '--output', output])
    return compileAndBuy(context, 'openapi-typescript')
  },
}

export const heyApi: Check = {
  name: '@hey-api/openapi-ts',
  version: '0.99.0',
  async run(context) {
    await install(context, ['@hey-api/openapi-ts@0.99.0'])
    const output = join(context.directory, 'hey-api/generated')
    await tool(context, 'openapi-ts', ['--input', context.documentFile, '--output', output, '--silent'])
    return compileAndBuy(context, 'hey-api')
  },
}

async function install({ directory }: CheckContext, packages: readonly string[]): Promise<void> {
  await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const quiet = ['--no-audit', '--no-fund', '--save-exact', '--ignore-scripts']
  await fetched(() => run('npm', ['install', ...quiet, ...packages, 'typescript@5.9.3'], { cwd: directory }))
}

async function tool({ directory }: CheckContext, name: string, args: readonly string[]): Promise<void> {
  await run(join(directory, 'node_modules/.bin', name), args, { cwd: directory })
}

async function compileAndBuy(context: CheckContext, client: string): Promise<string> {
  const { directory } = context
  for (const file of ['settings.ts', `${client}/purchase.ts`]) {
    await cp(join(programs, file), join(directory, file))
  }
  await mkdir(join(directory, 'node_modules/@types'), { recursive: true })
  for (const types of ['@types/node', 'undici-types']) {
    await symlink(join(root, 'node_modules', types), join(directory, 'node_modules', types)).catch(() => undefined)
  }
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: [client, 'settings.ts'] }),
  )
  await tool(context, 'tsc', ['--project', 'tsconfig.json'])
  const bundle = ['--bundle', '--platform=node', '--format=esm', '--outfile=purchase.mjs']
  await run(join(root, 'node_modules/.bin/esbuild'), [`${client}/purchase.ts`, ...bundle], { cwd: directory })
  await run(process.execPath, ['purchase.mjs'], { cwd: directory, env: await context.purchase(directory) })
  return 'generated, compiled, bought'
}
