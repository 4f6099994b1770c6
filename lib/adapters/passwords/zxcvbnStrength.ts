import * as z from 'zod/mini'
import { loadedOnce } from '../../core/loadedOnce.ts'
import { type PasswordAdvice, passwordSuggestion, passwordWarning } from '../../users/passwordAdvice.ts'
import type { PasswordStrength } from '../../users/ports.ts'

/** Of 0 to 4: from 10^8 guesses on, more than a throttled attacker has in years. */
const GOOD_SCORE = 3

/** As long as a password may be; the rest of a longer text is not looked at. */
const MAX_LENGTH = 128

/**
 * How many readings of a text with signs for letters to try: zxcvbn's default of 100 takes seconds if the text is long,
 * and finds nothing else.
 */
const MAX_READINGS = 8

type Estimate = (password: string, words: readonly string[]) => { readonly score: number; readonly feedback: unknown }

const estimator = loadedOnce(load)

/**
 * zxcvbn with its lists of passwords, English words and names. They are loaded at the first call, because few requests
 * need them. An estimate takes a processor for 10 ms, and for less than 200 ms in the worst case found.
 */
export const zxcvbnStrength: PasswordStrength = {
  async weaknessOf(password, words) {
    const estimate = await estimator()
    const { score, feedback } = estimate(password, words)
    return score < GOOD_SCORE ? adviceOf(feedback) : undefined
  },
}

async function load(): Promise<Estimate> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  const factory = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: MAX_LENGTH,
    l33tMaxSubstitutions: MAX_READINGS,
  })
  return (password, words) => factory.check(password, [...words])
}

/** zxcvbn's names, which it returns if it has no translations; names without a sentence here are left out. */
const feedbackSchema = z.object({
  warning: z.pipe(
    z.unknown(),
    z.transform((name) => passwordWarning.safeParse(name).data),
  ),
  suggestions: z.pipe(
    z.array(z.string()),
    z.transform((names) => names.flatMap((name) => passwordSuggestion.safeParse(name).data ?? [])),
  ),
})

function adviceOf(feedback: unknown): PasswordAdvice {
  return feedbackSchema.parse(feedback)
}
