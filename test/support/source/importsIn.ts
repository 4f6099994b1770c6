// Formatted code: a statement begins its line, and texts have single quotes.
const pattern = /^(?:import|export)\s(?:[^'"`;]*?\bfrom\s)?'([^']+)'|\bimport\(\s*'([^'$]+)'/gm

/** What a source imports, types included, and exports from elsewhere, as it says. */
export function importsIn(source: string): string[] {
  return [...source.matchAll(pattern)].flatMap(([, statement = '', late = '']) => statement || late)
}
