import type { Language } from './language.ts'

/** `fetch` that asks for the reader's language: mails that a request causes are written in it (RFC 9110 §12.5.4). */
export function fetchInLanguage(language: () => Language): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('Accept-Language', language())
    return fetch(input, { ...init, headers })
  }
}
