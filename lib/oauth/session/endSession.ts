import { isRegistered, type RedirectPolicy } from '../client/redirectUri.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { IdTokenReader, OAuthClients } from '../ports.ts'
import { digestSecret } from '../secretDigest.ts'
import { sessionHoldsFamily } from './browserHoldsFamily.ts'
import { postedQuery } from './postedQuery.ts'
import { type BrowserRequest, type LiveSession, readSession, type SessionDeps } from './session.ts'
import { type EndGrantsDeps, endListedSession } from './userSessions.ts'

export interface EndSessionDeps extends EndGrantsDeps, Pick<SessionDeps, 'accounts'> {
  readonly clients: OAuthClients
  readonly idTokens: IdTokenReader
  readonly redirectPolicy: RedirectPolicy
}

/** Why the request is answered with an error page: its redirect address cannot be trusted. */
type UntrustedEnd = 'repeated_parameter' | 'untrusted_hint' | 'unknown_client' | 'untrusted_redirect_uri'

/** What the end-of-session endpoint answers next. */
export type EndSessionStep =
  | { readonly step: 'untrusted'; readonly reason: UntrustedEnd }
  | {
      /** A user is signed in and must confirm. */
      readonly step: 'confirm'
      readonly email: string
      /** The client that asks, if the request names it. */
      readonly clientName: string | undefined
      /** The browser goes there afterwards; if undefined, to a page of this service. */
      readonly location: string | undefined
    }
  /** No user is signed in, or the session has just ended. */
  | { readonly step: 'ended'; readonly location: string | undefined }

/**
 * The end-of-session endpoint (OpenID Connect RP-Initiated Logout 1.0 §2). A signed-in user is asked, because a link in a mail must not sign
 * them out. Only a first-party client that sends the id_token which it got in this very session ends the session at once, as the form does.
 * @throws CommonError `service_unavailable`
 */
export async function askEndOfSession(
  deps: EndSessionDeps,
  { query, secret }: BrowserRequest,
): Promise<EndSessionStep> {
  const [request, session] = await Promise.all([readRequest(deps, query), readSession(deps, secret)])
  if (request.kind === 'untrusted') return { step: 'untrusted', reason: request.reason }
  const { client, location } = request
  if (session === undefined || secret === undefined) return { step: 'ended', location }
  if (await isOfSession(deps, request, session)) {
    await endListedSession(deps, session.user.id, session.id, digestSecret(secret))
    return { step: 'ended', location }
  }
  return { step: 'confirm', email: session.user.email, clientName: client?.name, location }
}

/** Whether a first-party client sends the id_token that it got in this session. */
async function isOfSession(deps: EndSessionDeps, { client, hint }: TrustedEnd, session: LiveSession): Promise<boolean> {
  return client?.firstParty === true && hint !== undefined && sessionHoldsFamily(deps, session, hint)
}

/**
 * Ends the session when the user has confirmed, and with it the tokens of first-party clients that were authorized in this browser. Tokens of
 * other clients stay valid until they are revoked. Safe to repeat.
 * @throws CommonError `service_unavailable`
 */
export async function confirmEndOfSession(
  deps: EndSessionDeps,
  { query, secret }: BrowserRequest,
): Promise<EndSessionStep> {
  const request = await readRequest(deps, query)
  if (request.kind === 'untrusted') return { step: 'untrusted', reason: request.reason }
  const cookie = secret === undefined ? undefined : digestSecret(secret)
  const session = cookie && (await deps.sessions.find(cookie))
  if (session !== undefined) await endListedSession(deps, session.userId, session.id, cookie)
  return { step: 'ended', location: request.location }
}

/**
 * The query of a request that a client sent as a form (RP-Initiated Logout 1.0 §2), all of whose parameters are optional. `too_long` if it does
 * not fit into an address. Undefined for the form of this service's own page, which has a `csrf`.
 */
export function readPostedEnd(form: string): string | 'too_long' | undefined {
  const sent = new URLSearchParams(form)
  return sent.has('csrf') ? undefined : postedQuery(sent, names)
}

const names = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']

interface TrustedEnd {
  kind: 'trusted'
  client: OAuthClient | undefined
  /** The id_token that the client sends. */
  hint: Awaited<ReturnType<IdTokenReader['read']>>
  location: string | undefined
}

/**
 * Redirects the browser only if the client, named in the request or in its `id_token_hint`, has registered the address (§3). The hint may have
 * expired; if it is not of this service, or is of another client, the request is refused (§2).
 */
async function readRequest(
  { clients, idTokens, redirectPolicy }: Pick<EndSessionDeps, 'clients' | 'idTokens' | 'redirectPolicy'>,
  query: string,
): Promise<TrustedEnd | { kind: 'untrusted'; reason: UntrustedEnd }> {
  const sent = new URLSearchParams(query)
  if (names.some((name) => sent.getAll(name).length > 1)) return { kind: 'untrusted', reason: 'repeated_parameter' }
  const idToken = sent.get('id_token_hint')
  const hint = idToken ? await idTokens.read(idToken) : undefined
  const clientId = sent.get('client_id') || hint?.clientId
  if (idToken && (hint === undefined || hint.clientId !== clientId))
    return { kind: 'untrusted', reason: 'untrusted_hint' }
  const client = clientId ? await clients.find(clientId) : undefined
  if (clientId && (!client || client.disabled)) return { kind: 'untrusted', reason: 'unknown_client' }
  const redirectUri = sent.get('post_logout_redirect_uri')
  if (!redirectUri) return { kind: 'trusted', client, hint, location: undefined }
  if (!client || !isRegistered(client.postLogoutRedirectUris, redirectUri, redirectPolicy))
    return { kind: 'untrusted', reason: 'untrusted_redirect_uri' }
  return { kind: 'trusted', client, hint, location: withState(redirectUri, sent.get('state')) }
}

function withState(redirectUri: string, state: string | null): string {
  if (!state) return redirectUri
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`
}
