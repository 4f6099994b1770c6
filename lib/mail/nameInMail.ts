const MAX_NAME = 64

/**
 * A user-chosen name, safe in a mail to another user: a single line, at most 64 characters, without characters that change the direction of
 * text. Mail programs turn a name like `evil.example` into a link; an invisible word joiner (U+2060) after each `.`, `:`, `/` and `@`
 * prevents that.
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
