/** A provider's page or redirect that a browser has met, by its address without the query. */
export interface ProviderVisit {
  /** The address of somebody else that the provider leads to at last. */
  readonly leadsTo: URL
  /** How many forms the provider asked for. */
  readonly forms: number
}

const MOST_STEPS = 20

/**
 * Goes through the pages of a foreign OpenID provider without script, as a browser with these cookies, until it leads to another origin.
 * @param fields are typed into each form that has them
 * @throws Error with the page, if it has no form, or after 20 steps
 */
export async function visitProvider(
  start: string,
  cookies: Map<string, string>,
  fields: Readonly<Record<string, string>>,
): Promise<ProviderVisit> {
  const { origin } = new URL(start)
  let at = new URL(start)
  let sent: URLSearchParams | undefined
  let forms = 0
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { leadsTo, page } = await openAs(cookies, at, sent)
    if (leadsTo !== undefined) {
      at = leadsTo
      sent = undefined
      if (at.origin !== origin) return { leadsTo: at, forms }
    } else {
      forms += 1
      sent = filledForm(page, fields)
      at = new URL(/<form[^>]*\baction="([^"]*)"/.exec(page)?.[1] ?? at.href, at)
    }
  }
  throw new Error(`still at ${at.origin}${at.pathname} after ${MOST_STEPS} steps`)
}

/** Opens one address as a browser with these cookies, and keeps what it sets. */
export async function openAs(
  cookies: Map<string, string>,
  at: URL,
  sent?: URLSearchParams,
): Promise<{ readonly leadsTo: URL | undefined; readonly page: string }> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const post = sent && { method: 'POST', body: sent }
  const response = await fetch(at, { redirect: 'manual', headers: { cookie }, ...post })
  keepCookies(response, cookies)
  const location = response.headers.get('location')
  return { leadsTo: location === null ? undefined : new URL(location, at), page: await response.text() }
}

function keepCookies(response: Response, cookies: Map<string, string>): void {
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}

function filledForm(page: string, fields: Readonly<Record<string, string>>): URLSearchParams {
  if (!page.includes('<form')) throw new Error(`a page without a form: ${page.slice(0, 400)}`)
  const attribute = (input: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1]
  const inputs = [...page.matchAll(/<input\b[^>]*>/g)].map(([input]) => input)
  const sent = new URLSearchParams()
  for (const input of inputs) {
    const name = attribute(input, 'name')
    if (name !== undefined) sent.set(name, fields[name] ?? attribute(input, 'value') ?? '')
  }
  return sent
}
