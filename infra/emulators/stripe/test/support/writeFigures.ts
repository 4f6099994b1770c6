import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const readme = fileURLToPath(new URL('../../README.md', import.meta.url))

/** The README before the figures of a name, its lines of figures, and what comes after. */
function splitReadme(name: string): { before: string; figures: string[]; after: string } {
  const [before = '', rest = ''] = readFileSync(readme, 'utf8').split(`<!-- figures:${name} -->\n`)
  const [figures = '', after = ''] = rest.split(`<!-- /figures:${name} -->`)
  return { before, figures: figures.split('\n'), after }
}

/** The lines of figures that the README has under a name. */
export function readFigures(name: string): string[] {
  return splitReadme(name).figures
}

/** Puts lines of figures into the README between `<!-- figures:name -->` and `<!-- /figures:name -->`, in place of the previous lines. */
export function writeFigures(name: string, lines: readonly string[]): void {
  const { before, after } = splitReadme(name)
  const [start, end] = [`<!-- figures:${name} -->\n`, `<!-- /figures:${name} -->`]
  writeFileSync(readme, `${before}${start}\n${lines.join('\n')}\n\n${end}${after}`)
}
