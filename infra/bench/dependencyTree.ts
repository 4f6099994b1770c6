import type { Metafile } from 'esbuild'
import { type BundleContents, unitOf } from './bundleContents.ts'

interface Unit {
  bytes: number
  readonly brings: Unit[]
  readonly name: string
}

/**
 * The packages and folders of one bundle as an indented tree, largest first: each appears once, below the one that is nearest to the
 * function and imports it, with its own kilobytes and those of all that is listed below it.
 */
export function dependencyTree(contents: BundleContents, { inputs }: Pick<Metafile, 'inputs'>): string {
  const units = new Map<string, Unit>()
  const visited = new Set([contents.entryPoint])

  /** The unit of a file, put below `importer` where it is new. */
  function place(file: string, importer: Unit | undefined): Unit {
    const name = unitOf(file)
    const unit = units.get(name) ?? { name, bytes: 0, brings: [] }
    if (!units.has(name)) importer?.brings.push(unit)
    units.set(name, unit)
    unit.bytes += contents.files.get(file) ?? 0
    return unit
  }

  const root = place(contents.entryPoint, undefined)
  // Breadth first: what is found first is nearest. A set yields what is added while it is walked.
  for (const file of visited) {
    const importer = units.get(unitOf(file))
    for (const { path, external } of inputs[file]?.imports ?? []) {
      // A file that only passes others on may have no bytes of its own.
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
