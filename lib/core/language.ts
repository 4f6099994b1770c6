/** The languages of pages and mails, the default first. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/**
 * The first supported language that the user asks for: by `ui_locales` (OpenID Connect Core §3.1.2.1, tags separated by spaces, the
 * preferred first), otherwise by `Accept-Language` (RFC 9110 §12.5.4), otherwise English. A tag matches by its primary subtag: `de-AT` is
 * German.
 */
export function chooseLanguage({
  uiLocales = '',
  acceptLanguage = '',
}: {
  readonly uiLocales?: string | undefined
  readonly acceptLanguage?: string | undefined
}): Language {
  return [...uiLocales.split(' '), ...byQuality(acceptLanguage)].map(languageOf).find(Boolean) ?? 'en'
}

function languageOf(tag: string): Language | undefined {
  const [primary] = tag.trim().toLowerCase().split('-')
  return languages.find((language) => language === primary)
}

/** People's settings have fewer tags. */
const MAX_TAGS = 20

/** The tags of a header, most preferred first, without tags of quality 0, which means not acceptable. */
function byQuality(header: string): string[] {
  const ranges = header
    .split(',')
    .slice(0, MAX_TAGS)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';')
      const quality = parameters
        .map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1])
        .find(Boolean)
      return { tag, quality: Number(quality ?? 1) }
    })
  return ranges
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
