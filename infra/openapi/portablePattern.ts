/**
 * Patterns of contracts that only JavaScript reads, by their source, as every reader of the document reads them.
 *
 * The name of an organization: no control characters, line separators, invisible characters or characters that change the direction of
 * text. Without a `u` flag JavaScript sees halves of astral characters, which the first class includes; other readers need the second for
 * whole ones. Both end before U+FFFE: readers of YAML refuse a document with a noncharacter.
 */
const equivalents: ReadonlyMap<string, string> = new Map([
  [
    '^[^\\p{Cc}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2060-\\u206F]+$',
    '^(?:[\\x20-\\x7e\\xa0-\u2027\u202f-\u205f\u2070-\ufffd]|[^\\x00-\ufffd])+$',
  ],
])

/** What JavaScript without flags, Python and RE2 read alike: classes, groups without a name or a capture, repetition, anchors. */
const token =
  /^(?:\(\?:|[)|*+?^$]|\{\d+(?:,\d*)?\}|\[\^?(?:\\x[0-9a-f]{2}|\\[\]\\^-]|[^\]\\[])+\]|[^\\()[\]{}|*+?^$.]|\\[.*+?^$()[\]{}|\\/-])/

/**
 * The pattern to publish for one of a contract. Throws Error for one that the languages of generated clients would refuse or read in
 * different ways, such as `\w` (also other scripts in Python) or `\p` (not without a flag in JavaScript): give it an equivalent above.
 */
export function portablePattern(pattern: string): string {
  const portable = equivalents.get(pattern) ?? pattern
  for (let rest = portable; rest !== ''; ) {
    const [found] = token.exec(rest) ?? []
    if (found === undefined) throw new Error(`not read alike in every language: ${pattern} at ${rest}`)
    rest = rest.slice(found.length)
  }
  return portable
}
