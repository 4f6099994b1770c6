import { looksLatin } from './lookalikes.ts'

/** Characters that show nothing: control and format characters, fillers and variation selectors. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** An emoji in color, and one that is joined of several, has such characters and shows. */
const emoji = /\p{Extended_Pictographic}\uFE0F?(?:\u200D\p{Extended_Pictographic}\uFE0F?)*/gu

const letter = /\p{L}/u
const latin = /\p{Script=Latin}/u
const ascii = /^[A-Za-z0-9]+$/

/** Why people could misread a name: it has characters that they cannot see, or letters that only look like the others of the word. */
export type NameProblem = 'invisible_character' | 'mixed_scripts'

/** What is wrong with a name that people read; undefined if nothing is. Whole words in any script are sound. */
export function problemOfName(name: string): NameProblem | undefined {
  if (invisible.test(name.replaceAll(emoji, ''))) return 'invisible_character'
  return name.split(/[^\p{L}\p{M}\p{N}]+/u).some(imitatesLatin) ? 'mixed_scripts' : undefined
}

/**
 * Whether a word reads as a Latin word and is none: every letter is Latin or looks Latin, and both kinds are in it. Also a word of letters
 * that are drawn for mathematics. An Ω in the word makes it foreign at a glance, so such words are sound.
 */
function imitatesLatin(word: string): boolean {
  const letters = [...word].filter((character) => letter.test(character))
  const disguised = letters.filter((one) => looksLatin(one) || isDisguised(one))
  if (disguised.length === 0) return false
  const others = letters.filter((one) => !disguised.includes(one))
  if (others.length === 0) return letters.some((one) => isDisguised(one) && !latin.test(one))
  return others.every((one) => latin.test(one))
}

/** Whether a letter is another form of an ASCII letter: full width, or drawn for mathematics. */
function isDisguised(one: string): boolean {
  const plain = one.normalize('NFKC')
  return plain !== one && ascii.test(plain)
}
