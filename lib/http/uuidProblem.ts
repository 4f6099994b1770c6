/** How many hexadecimal digits each hyphenated group has: RFC 9562 §4. */
const groupLengths = [8, 4, 4, 4, 12]

/**
 * Why pydantic would not read `text` as a UUID (without its `urn:uuid:` or braces); `undefined` where it would.
 * Scans as pydantic does: bad characters, then hyphens, then the first group of a wrong length.
 */
export function uuidProblem(text: string): string | undefined {
  const bad = /[^0-9a-f-]/iu.exec(text)
  // Not the character itself: an answer never echoes what was sent.
  if (bad) return `invalid character at ${Buffer.byteLength(text.slice(0, bad.index)) + 1}`
  const groups = text.split('-')
  if (groups.length === 1) {
    return text.length === 32 ? undefined : `invalid length: expected length 32 for simple format, found ${text.length}`
  }
  if (groups.length !== groupLengths.length) return `invalid group count: expected 5, found ${groups.length}`
  const wrong = groupLengths.findIndex((length, index) => groups[index]?.length !== length)
  if (wrong < 0) return undefined
  return `invalid group length in group ${wrong}: expected ${groupLengths[wrong]}, found ${groups[wrong]?.length}`
}
