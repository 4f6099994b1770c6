import type { NameBrowser } from '../../signIn/ports.ts'

/** Longer headers are not of browsers, and are not parsed. */
const MAX_LENGTH = 512

/**
 * Names the browsers and systems that the library Bowser knows, in its words: nothing else of the header is kept, for anyone may send
 * any. Loads the library at the first call.
 */
export const nameBrowser: NameBrowser = async (userAgent) => {
  if (!userAgent || userAgent.length > MAX_LENGTH) return undefined
  const { default: Bowser } = await import('bowser')
  const parsed = Bowser.getParser(userAgent)
  const browser = known(Bowser.BROWSER_MAP, parsed.getBrowserName())
  const system = known(Bowser.OS_MAP, parsed.getOSName())
  return [browser, system].filter(Boolean).join(' on ') || undefined
}

function known(words: Readonly<Record<string, string>>, word: string): string {
  return Object.values(words).includes(word) ? word : ''
}
