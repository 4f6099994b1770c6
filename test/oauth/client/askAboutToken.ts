import type { AccountsStack } from '../../support/accountsStack.ts'

/** Sends a form to revocation or introspection; the body as text, for one of them has none. */
export async function askAboutToken(
  { baseUrl }: AccountsStack,
  endpoint: 'revoke' | 'introspect',
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${baseUrl}/api/oauth/${endpoint}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, body }
}
