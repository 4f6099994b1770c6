import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { productsOnSale } from '../data/products.ts'
import { runProgram } from '../runProgram.ts'
import { filesBehind, productFaults } from './productFaults.ts'
import { productModules } from './productModules.ts'

const root = new URL('../../', import.meta.url)
/** Each after what it reads. The samples are sent again: their answers name products. */
const generators = [['openapi', '--record'], ['client', '--types'], ['docs']] as const

/**
 * `npm run products` writes everything that is generated from `infra/data/products.ts`; `npm run products -- check` writes nothing, and
 * says what is missing there and which file is not up to date. The exit code is 1 if anything is.
 */
async function main(): Promise<number> {
  const [command, ...rest] = process.argv.slice(2)
  if ((command !== undefined && command !== 'check') || rest.length > 0)
    throw new Error('Usage: npm run products [-- check]')
  const faults = productFaults(productsOnSale).map((fault) => `infra/data/products.ts: ${fault}`)
  if (faults.length > 0) return fail(faults)
  const modules = productModules(productsOnSale)
  if (command === undefined) {
    for (const { file, text } of modules) await writeFile(file, text)
    for (const [script, ...args] of generators) run(script, args)
  }
  const stale = modules.flatMap(({ file, text }) => (readFileSync(file, 'utf8') === text ? [] : [pathOf(file)]))
  const behind = filesBehind(Object.keys(productsOnSale), {
    examples: read('infra/openapi/examples.json'),
    document: read('lib/http/openapi.json'),
    clientTypes: read('infra/client/src/schema.ts'),
  })
  const all = [...stale, ...behind]
  if (all.length > 0) return fail(all.map((file) => `${file} is not up to date: npm run products writes it`))
  console.log(`Nothing is missing: ${Object.keys(productsOnSale).join(', ')}`)
  return 0
}

function fail(lines: readonly string[]): number {
  for (const line of lines) console.error(line)
  return 1
}

function pathOf(file: URL): string {
  return file.href.slice(root.href.length)
}

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

function run(script: string, args: readonly string[]): void {
  const options = { cwd: fileURLToPath(root), stdio: 'inherit' } as const
  const { status } = spawnSync(process.execPath, ['--run', script, '--', ...args], options)
  if (status !== 0) throw new Error(`npm run ${script} failed`)
}

runProgram(main)
