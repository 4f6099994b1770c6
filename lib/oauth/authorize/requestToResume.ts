import type { RedirectPolicy } from '../client/redirectUri.ts'
import type { OAuthClients } from '../ports.ts'
import { readAuthorizationRequest } from './authorizationRequest.ts'

export interface ResumeDeps {
  readonly clients: OAuthClients
  readonly redirectPolicy: RedirectPolicy
}

/** Authorization requests have some hundred characters; the limit is for what is stored with a mail's link. */
const MAX_CHARACTERS = 2048

/** Whether the query of an authorization request is short enough to be stored while its user waits for a mail. */
export function isShortEnough(query: string): boolean {
  return query.length <= MAX_CHARACTERS
}

/**
 * The query of an authorization request that a page may return to when its user has an account. Undefined if the client is unknown or
 * disabled, if the redirect URI is not registered for it, or if the query has more than 2048 characters. The page only ever returns to the
 * authorization endpoint, which reads the request again.
 * @throws CommonError `service_unavailable`
 */
export async function requestToResume(deps: ResumeDeps, query: string): Promise<string | undefined> {
  if (query === '' || !isShortEnough(query)) return undefined
  const trusted = await readAuthorizationRequest(deps, query)
  return trusted.kind === 'untrusted' ? undefined : new URLSearchParams(query).toString()
}
