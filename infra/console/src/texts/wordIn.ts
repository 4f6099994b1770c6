/** The word for a code of the API, which may be newer than this console: then the code itself, in words. */
export function wordIn(words: Partial<Record<string, string>>, code: string): string {
  return words[code] ?? code.replaceAll('_', ' ')
}
