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
  /** Sends the form without the cookie. */
  withoutCookie?: boolean
}

/**
 * A browser that keeps the one cookie by hand, for `fetch` keeps none: `curl` and Node do not take a `Secure` cookie over http, as
 * Chromium does on a loopback address.
 */
export class Visitor {
  readonly #endpoint: string
  cookie: string | undefined
  /** Every `Set-Cookie` that came, newest last. */
  readonly received: string[] = []

  constructor(baseUrl: string) {
    this.#endpoint = `${baseUrl}/api/oauth/authorize`
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
    if (this.cookie !== undefined && !withoutCookie) headers.set('cookie', this.cookie)
    const url = `${this.#endpoint}?${search.replace(/^\?/, '')}`
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return {
      status: response.status,
      headers: response.headers,
      body: await response.text(),
      location: response.headers.get('location'),
    }
  }

  #keep(cookie: string): void {
    this.received.push(cookie)
    const [pair = ''] = cookie.split(';')
    this.cookie = /Max-Age=0\b/.test(cookie) ? undefined : pair
  }
}
