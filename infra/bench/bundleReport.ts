import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { entryPoints } from '../aws/bundle/entryPoints.ts'
import { budgetsFile, kilobytesOf } from './bundleBudgets.ts'
import { bundleContents, unitOf } from './bundleContents.ts'
import { bundleFunctions } from './bundleFunctions.ts'
import { dependencyTree } from './dependencyTree.ts'

/**
 * `npm run bundle:report`: the size of every function's bundle and its largest parts. If you name a function, it prints the tree of its
 * dependencies with their importers. `-- --write` stores the sizes, from which the budgets follow.
 */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  })
  const bundles = await bundleFunctions()
  await bundles.close()
  const { metafile } = bundles
  for (const name of positionals) console.log(dependencyTree(bundleContents(metafile, name), metafile))
  if (values.write) await writeFile(budgetsFile, `${JSON.stringify(kilobytesOf(metafile), null, 2)}\n`)
  if (positionals.length > 0) return
  for (const name of Object.keys(entryPoints)) {
    const { bytes, files } = bundleContents(metafile, name)
    const parts = [...Map.groupBy(files, ([file]) => unitOf(file))]
      .map(([unit, ofUnit]) => ({ unit, size: ofUnit.reduce((sum, [, part]) => sum + part, 0) }))
      .toSorted((a, b) => b.size - a.size)
    const largest = parts.slice(0, 5).map(({ unit, size }) => `${unit} ${Math.round(size / 1000)}`)
    console.log(`${name.padEnd(22)}${`${Math.round(bytes / 1000)} KB`.padStart(7)}  ${largest.join(', ')}`)
  }
}

await main()
