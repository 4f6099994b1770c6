import type { DetailPath, Preview } from '../../app/types.ts'
import type { Localization } from '../../texts/createLocalization.ts'
import { wordIn } from '../../texts/wordIn.ts'

const address = ['address.line1', 'address.city', 'address.country', 'address.postal_code'] as const

/**
 * The billing details that an order still needs, in words, such as `an email address and a city`; undefined if nothing is missing. An address
 * of which everything is missing is `an address`.
 */
export function missingDetails(
  { lines }: Pick<Preview, 'lines'>,
  { texts, format }: Pick<Localization, 'texts' | 'format'>,
): string | undefined {
  const missing = new Set(lines.flatMap((line): readonly DetailPath[] => (line.ok ? [] : (line.missing ?? []))))
  if (missing.size === 0) return undefined
  const words = texts.orders.missingDetails
  const isWhole = address.every((path) => missing.has(path))
  const named = [...missing].filter((path) => !(isWhole && address.some((part) => part === path)))
  return format.list([...named.map((path) => wordIn(words, path)), ...(isWhole ? [words.whole_address] : [])])
}
