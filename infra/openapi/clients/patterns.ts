import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { CheckContext } from './check.ts'

/**
 * What patterns are tried on: letters and signs at the edges of classes, other scripts, astral characters, and what a name may not have. No
 * final line feed, before which `$` matches in Python alone (JSON Schema 2020-12 §6.4 recommends it all the same).
 */
const samples = [
  ...['', 'a', 'ab', 'abc', 'a.b', '-ab', 'ab-', 'a_b', 'A9', 'a b', 'a@b', 'base_ota', 'SUMMER-25', 'a'.repeat(43)],
  ...['é', 'ß9', '北京', '٣٣٣', '😀', 'a😀b', '\u00a0', '\u2027', '\u202f', '\u2065', '\u206a', '\ue000', '\ufffd'],
  ...['\t', 'a\nb', '\u007f', '\u0085', 'a\u2028b', '\u2029', '\u202a', 'a\u202eb', '\u2066', '\u2069x', '\u{10ffff}'],
  ...['a'.repeat(64), 'a'.repeat(65), 'a'.repeat(255), 'a'.repeat(256), `${'a'.repeat(31)}.`],
]

/** Every pattern of a document, each once. */
export function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : []
  return [...new Set([...own, ...Object.values(value).flatMap(patternsOf)])]
}

/**
 * Writes the patterns and the samples down for a program of another language, which prints whether each pattern matches each sample.
 * @throws Error with the patterns of which it finds something else than JavaScript without flags
 */
export async function checkPatterns(
  { document, directory }: CheckContext,
  language: string,
  program: (file: string) => Promise<string>,
): Promise<void> {
  const file = join(directory, 'patterns.json')
  const patterns = patternsOf(document)
  await writeFile(file, JSON.stringify({ patterns, samples }))
  const matches = z.array(z.array(z.boolean())).parse(JSON.parse(await program(file)))
  const wrong = patterns.flatMap((pattern, row) =>
    samples.flatMap((sample, column) =>
      matches[row]?.[column] === new RegExp(pattern).test(sample) ? [] : [`${pattern} on ${JSON.stringify(sample)}`],
    ),
  )
  if (wrong.length > 0) throw new Error(`${language} reads differently: ${wrong.join(', ')}`)
}
