/** The hidden fields of a page's forms. */
export function formFields(body: string): Record<string, string> {
  const fields = [...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescaped(value)]))
}

/** Text as a browser reads it. */
function unescaped(markup: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return markup.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? '')
}

/** The links of a page: their addresses by what they say. */
export function linksIn(body: string): Record<string, string> {
  const links = [...body.matchAll(/<a (?:class="button" )?href="([^"]*)">([^<]*)<\/a>/g)]
  return Object.fromEntries(links.map(([, href = '', label = '']) => [label, unescaped(href)]))
}

/** What a page says, without its markup. */
export function textOf(body: string): string {
  const main = /<main>([\s\S]*)<\/main>/.exec(body)?.[1] ?? ''
  return main
    .replaceAll(/<button[^>]* hidden>[\s\S]*?<\/button>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
