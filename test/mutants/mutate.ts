import type { Edit } from './guardMutants.ts'

/**
 * The source with one edit made.
 * @throws Error where the original is not found exactly once: the list must follow the code
 */
export function mutate(source: string, { file, original, replacement }: Edit): string {
  const found = source.split(original).length - 1
  if (found !== 1) throw new Error(`${file}: found ${found} times instead of once: ${original}`)
  // As a function, for a replacement text may hold dollar signs.
  return source.replace(original, () => replacement)
}
