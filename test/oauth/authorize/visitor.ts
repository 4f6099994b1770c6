import { formFields } from './page.ts'

/** An answer as a person without script meets it. */
export interface Met {
  status: number
  headers: Headers
  body: string
  /** Where a redirect leads to, as it was sent. */
  location: string | null
}

/** What a test may change about a form before it is sent. */
export interface Sending {
  fields?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  /** Sends the form without cookies. */
  withoutCookie?: boolean
}

/**
 * A browser that keeps its cookies by hand, for `fetch` keeps none: `curl` and Node do not take a `Secure` cookie over http, as
 * Chromium does on a loopback address.
 */
export class Visitor {
  readonly #endpoint: string
  /** The session's cookie. */
  cookie: string | undefined
  /** The cookie of a browser that has signed in before. */
  knownBrowser: string | undefined
  /** Every `Set-Cookie` that came, newest last. */
  readonly received: string[] = []

  constructor(baseUrl: string, path = '/api/oauth/authorize') {
    this.#endpoint = `${baseUrl}${path}`
  }

  /** Asks for a page; `search` is a query with or without `?`. */
  get(search: string): Promise<Met> {
    return this.#send(search, { method: 'GET' }, {})
  }

  /** Sends the form of `page` that has this action, as it is but for what `sending` changes. */
  submit(search: string, page: Met, action: string, { fields, ...sending }: Sending = {}): Promise<Met> {
    const body = new URLSearchParams({ ...formFields(page.body), action, ...fields }).toString()
    return this.post(search, body, sending)
  }

  post(search: string, body: string, sending: Omit<Sending, 'fields'> = {}): Promise<Met> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...sending.headers }
    return this.#send(search, { method: 'POST', headers, body }, sending)
  }

  async #send(search: string, init: RequestInit, { withoutCookie = false }: Sending): Promise<Met> {
    const headers = new Headers(init.headers)
    if (!withoutCookie) for (const [name, value] of Object.entries(this.cookieHeader)) headers.set(name, value)
    const url = `${this.#endpoint}?${search.replace(/^\?/, '')}`
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie)
    return {
      status: response.status,
      headers: response.headers,
      body: await response.text(),
      location: response.headers.get('location'),
    }
  }

  /** The header with its cookies, where it has any. */
  get cookieHeader(): { readonly cookie?: string } {
    const cookies = [this.cookie, this.knownBrowser].filter((one) => one !== undefined)
    return cookies.length > 0 ? { cookie: cookies.join('; ') } : {}
  }

  /** Keeps what a `Set-Cookie` sets. */
  keep(cookie: string): void {
    this.received.push(cookie)
    const [pair = ''] = cookie.split(';')
    if (pair.startsWith('__Host-known-browser=')) {
      this.knownBrowser = pair
      return
    }
    this.cookie = /Max-Age=0\b/.test(cookie) ? undefined : pair
  }
}
