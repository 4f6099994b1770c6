/** Markup that is safe to send. Only `html` creates it, so no stored or received value can pass for it. */
class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

export type { Html }

/** A value in a template. `false` and `undefined` render nothing. */
export type HtmlValue = Html | readonly Html[] | string | number | false | undefined

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Tagged template of HTML: every value is escaped unless `html` itself created it. Safe between tags and in quoted
 * attributes. Not safe in unquoted attributes, nor inside `<script>` or `<style>`; callers check the URLs that they link to
 * (`javascript:`). Source: OWASP Cross Site Scripting Prevention Cheat Sheet, output encoding.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, at) => part + markupOf(values[at])).join(''))
}

/**
 * A script element with a text from our own build, which is not escaped. The content security policy allows it by its hash.
 * @throws Error if the text would end its element
 */
export function scriptElement(script: string): Html {
  if (/<(?:\/script|!--)/i.test(script)) throw new Error('The script would end its element')
  return new Html(`<script>${script}</script>`)
}

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object') return value instanceof Html ? value.toString() : value.map(markupOf).join('')
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
