import * as openid from 'openid-client'
import { type AccountsStack, ISSUER } from '../../support/accountsStack.ts'

interface Sent {
  method?: string | undefined
  headers?: Headers | Record<string, string> | undefined
  body?: unknown
}

/** `fetch` for client libraries: what they send to the issuer arrives at the stack, whose port is a free one. */
export function fetchFrom({ baseUrl }: Pick<AccountsStack, 'baseUrl'>) {
  return async (url: string, { method = 'GET', headers = {}, body }: Sent): Promise<Response> => {
    const { origin, pathname, search } = new URL(url)
    if (origin !== ISSUER) throw new Error(`${origin} is not the issuer`)
    return fetch(`${baseUrl}${pathname}${search}`, { method, headers, ...(body != null && { body: `${body}` }) })
  }
}

/** What openid-client has found out by itself, as RFC 8414 or as OpenID Connect Discovery has it. A client without a secret is public. */
export function discover(
  stack: AccountsStack,
  { client_id, client_secret }: { client_id: string; client_secret: string },
  algorithm: 'oauth2' | 'oidc' = 'oauth2',
): Promise<openid.Configuration> {
  const authentication = client_secret === '' ? openid.None() : openid.ClientSecretBasic(client_secret)
  const options = { algorithm, [openid.customFetch]: fetchFrom(stack) }
  return openid.discovery(new URL(ISSUER), client_id, {}, authentication, options)
}
