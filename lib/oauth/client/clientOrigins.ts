import type { OAuthClient } from '../oauthClient.ts'

/**
 * The origins of the pages that a client's redirect and post-logout URIs lead to, each once; none if the client is disabled. An app's private-use
 * scheme has no origin.
 */
export function originsOf({
  disabled,
  redirectUris,
  postLogoutRedirectUris,
}: Pick<OAuthClient, 'disabled' | 'redirectUris' | 'postLogoutRedirectUris'>): string[] {
  if (disabled) return []
  const origins = [...redirectUris, ...postLogoutRedirectUris].map((uri) => URL.parse(uri)?.origin ?? 'null')
  return [...new Set(origins)].filter((origin) => origin !== 'null').sort()
}
