type WordsOf<Line extends string> = Line extends `${infer First} ${infer Rest}` ? First | WordsOf<Rest> : Line

/** The words of the lines, for long lists of names. */
export function words<const Lines extends readonly string[]>(...lines: Lines) {
  return lines.flatMap((line) => line.split(' ')) as WordsOf<Lines[number]>[]
}

/** Fields without a value, by their names in the lines. */
export function nulls<const Lines extends readonly string[]>(...lines: Lines) {
  return Object.fromEntries(words(...lines).map((name) => [name, null])) as Record<WordsOf<Lines[number]>, null>
}
