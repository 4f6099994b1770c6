import { isScope, type Scope, scopesIn } from '../../core/scopes.ts'
import type { OAuthClient } from '../oauthClient.ts'

/**
 * The scopes that a client requests from its user (RFC 6749 §3.3): each once, in the order sent. `refused`: a scope does not exist, or the client is
 * not registered for it.
 */
export function requestedScopes(
  client: Pick<OAuthClient, 'scopes'>,
  list: string | undefined,
):
  | { readonly kind: 'scopes'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'refused'; readonly reason: string } {
  const sent = [...new Set(scopesIn(list))]
  const scopes = sent.filter(isScope)
  if (scopes.length < sent.length) return { kind: 'refused', reason: 'There is no such scope' }
  const isRegistered = scopes.every((scope) => client.scopes?.includes(scope) ?? true)
  return isRegistered
    ? { kind: 'scopes', scopes }
    : { kind: 'refused', reason: 'The client is not registered for this scope' }
}
