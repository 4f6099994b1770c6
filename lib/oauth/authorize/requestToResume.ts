import type { RedirectPolicy } from '../client/redirectUri.ts'
import type { OAuthClients } from '../ports.ts'
import { readAuthorizationRequest } from './authorizationRequest.ts'

/** Dependencies of checking a request. */
export interface ResumeDeps {
  readonly clients: OAuthClients
  readonly redirectPolicy: RedirectPolicy
}

/** Authorization requests are some hundred characters; what is stored with a mail's link has to have an end. */
const MAX_CHARACTERS = 2048

/** Whether the query of an authorization request is short enough to be kept while its user waits for a mail. */
export function isShortEnough(query: string): boolean {
  return query.length <= MAX_CHARACTERS
}

/**
 * The query of an authorization request that a page may lead back to once its user has an account: of a client that is known and
 * enabled, with a redirect URI that is registered for it, and at most 2048 characters. Undefined for any other. It only ever leads to
 * the authorization endpoint, which reads it again.
 * @throws CommonError `service_unavailable`
 */
export async function requestToResume(deps: ResumeDeps, query: string): Promise<string | undefined> {
  if (query === '' || !isShortEnough(query)) return undefined
  const trusted = await readAuthorizationRequest(deps, query)
  return 'untrusted' in trusted ? undefined : new URLSearchParams(query).toString()
}
