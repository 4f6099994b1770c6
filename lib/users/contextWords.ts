/** Whose password it is: what is known of the person, and of where it is for. */
export interface PasswordContext {
  readonly email: string
  readonly username: string
  /** The name of the organization that the person is invited to. */
  readonly organization?: string | undefined
}

/** Shorter ones are in passwords of every kind by chance. */
const MIN_LETTERS = 3

/** More words than people and names have, so that no name makes an estimate slow. */
const MAX_WORDS = 128

/** What people put between words; zxcvbn counts three parts, two words and a sign between them, as good. */
const joiners = ['', ' ', '-', '_', '.'] as const

/**
 * The words that an attacker who knows the person tries first, in lower case (ASVS 5.0 §6.2.11): each name as a whole and in its parts,
 * also with other signs between its words.
 */
export function contextWords({ email, username, organization = '' }: PasswordContext, service: string): string[] {
  const names = [email, username, organization, service].map((name) => name.normalize('NFC').toLowerCase())
  const phrases = names.flatMap((name) => [name, ...name.split('@'), ...name.split(/[\s@.]+/)])
  const words = phrases.flatMap((phrase) => {
    const parts = phrase.split(/[^\p{L}\p{M}\p{N}]+/u)
    return [phrase, ...joiners.map((joiner) => parts.join(joiner)), ...parts]
  })
  return [...new Set(words)].filter((word) => [...word].length >= MIN_LETTERS).slice(0, MAX_WORDS)
}
