import { readFile, writeFile } from 'node:fs/promises'

/**
 * The place of figures in a document.
 * @throws Error if the document has no place for them: before minutes of measuring
 */
export async function openFigures(document: URL, name: string): Promise<{ write(figures: string): Promise<void> }> {
  replaceFigures(await readFile(document, 'utf8'), name, '')
  return {
    write: async (figures) => writeFile(document, replaceFigures(await readFile(document, 'utf8'), name, figures)),
  }
}

/** The cold start of a function. Times are medians in milliseconds, from the spawn of its process to its first answer. */
interface ColdFigures {
  readonly name: string
  /** First answer without a call to a neighbor; undefined if the function has no such answer. */
  readonly refused: number | undefined
  /** First answer after all its work; undefined if there is no work. */
  readonly served: number | undefined
}

/** Milliseconds that a row of the table spans. */
const BAND = 50

/** The table of cold starts, slowest first. Functions whose served answers come within the same 50 ms share a row. */
export function renderColdFigures(bare: number, figures: readonly ColdFigures[]): string {
  const cell = (time: number | undefined) => (time === undefined ? '–' : `${Math.round(time)}`)
  const slowestFirst = figures.toSorted((one, other) => (other.served ?? 0) - (one.served ?? 0))
  const bands = Map.groupBy(slowestFirst, ({ served = 0 }) => Math.floor(Math.round(served) / BAND) * BAND)
  return [
    '| served from, ms | functions, with ms to a refused/served answer |',
    '|---:|---|',
    ...[...bands].map(([band, alike]) => {
      const functions = alike.map(({ name, refused, served }) => `\`${name}\` ${cell(refused)}/${cell(served)}`)
      return `| ${band} | ${functions.join(', ')} |`
    }),
    '',
    `A function that does nothing: ${Math.round(bare)} ms.`,
  ].join('\n')
}

/**
 * Puts figures between `<!-- figures:<name> -->` and `<!-- /figures:<name> -->`, in place of the previous text.
 * @throws Error if the text does not have both, once and in this order
 */
export function replaceFigures(text: string, name: string, figures: string): string {
  const [open, close] = [`<!-- figures:${name} -->`, `<!-- /figures:${name} -->`]
  const [before, rest, ...more] = text.split(open)
  const [, after, ...again] = rest?.split(close) ?? []
  if (before === undefined || after === undefined || more.length > 0 || again.length > 0) {
    throw new Error(`The text has no place for figures: ${open} and ${close}, each once`)
  }
  return `${before}${open}\n\n${figures}\n\n${close}${after}`
}
