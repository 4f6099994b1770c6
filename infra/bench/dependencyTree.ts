import type { Metafile } from 'esbuild'
import { type BundleContents, unitOf } from './bundleContents.ts'

interface Unit {
  bytes: number
  readonly brings: Unit[]
  readonly name: string
}

/**
 * The packages and folders of a bundle as an indented tree, largest first. Each unit appears once, below its importer nearest to the function,
 * with its own kilobytes and the total including the units below it.
 */
export function dependencyTree(contents: BundleContents, { inputs }: Pick<Metafile, 'inputs'>): string {
  const units = new Map<string, Unit>()
  const visited = new Set([contents.entryPoint])

  /** The unit of a file. If it is new, puts it below `importer`. */
  function place(file: string, importer: Unit | undefined): Unit {
    const name = unitOf(file)
    const unit = units.get(name) ?? { name, bytes: 0, brings: [] }
    if (!units.has(name)) importer?.brings.push(unit)
    units.set(name, unit)
    unit.bytes += contents.files.get(file) ?? 0
    return unit
  }

  const root = place(contents.entryPoint, undefined)
  // Breadth first: the first importer found is the nearest. The loop also visits files added to the set while it runs.
  for (const file of visited) {
    const importer = units.get(unitOf(file))
    for (const { path, external } of inputs[file]?.imports ?? []) {
      // If a file only re-exports others, it may have no bytes of its own.
      if (external || visited.has(path) || path.startsWith('builtin:')) continue
      visited.add(path)
      place(path, importer)
    }
  }
  return lines(root, 0).join('\n')
}

function lines(unit: Unit, depth: number): string[] {
  const total = weight(unit)
  const own = unit.bytes === total ? '' : ` (${kilobytes(unit.bytes)} itself)`
  const below = unit.brings.filter((part) => weight(part) > 0).toSorted((a, b) => weight(b) - weight(a))
  return [
    `${'  '.repeat(depth)}${unit.name} ${kilobytes(total)}${own}`,
    ...below.flatMap((part) => lines(part, depth + 1)),
  ]
}

function weight({ bytes, brings }: Unit): number {
  return brings.reduce((sum, part) => sum + weight(part), bytes)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`
}
