const MAX_NAME = 64

/**
 * A name that somebody chose, fit to stand in a mail to somebody else: one line, at most 64 characters, without marks that
 * turn the direction of writing. A mail program would make a link of a name like `evil.example`; an invisible word joiner
 * (U+2060) behind each mark that an address is recognized by keeps it from that.
 */
export function nameInMail(name: string): string {
  const line = name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  const characters = [...line]
  const short = characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : line
  return short.replaceAll(/[.:/@](?=\S)/g, '$&\u2060')
}
