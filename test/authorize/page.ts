/** The hidden fields of a page's forms. */
export function formFields(body: string): Record<string, string> {
  const fields = [...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}

/** What a page says, without its markup. */
export function textOf(body: string): string {
  const main = /<main>([\s\S]*)<\/main>/.exec(body)?.[1] ?? ''
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
