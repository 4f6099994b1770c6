import { FIRST_REVISION } from '../../core/grant.ts'
import { apiClientIdSchema, type Ids, serviceClientIdOf, serviceClientIdSchema } from '../../core/ids.ts'
import { isScope, isServiceScope } from '../../core/scopes.ts'
import { OAuthError } from '../errors.ts'
import { type ClientType, DEVICE_CODE, type GrantType, type OAuthClient } from '../oauthClient.ts'
import type { OAuthClientRegistry, OAuthClients } from '../ports.ts'
import { digestSecret } from '../secretDigest.ts'
import { type RedirectPolicy, requireRegistrable } from './redirectUri.ts'

export interface RegistrationDeps {
  readonly clients: OAuthClients & OAuthClientRegistry
  readonly ids: Ids
  /** Of the stage that the clients are for. */
  readonly redirectPolicy: RedirectPolicy
}

/** What a client is registered with. */
interface NewClient {
  /** Random if omitted. */
  clientId?: string | undefined
  name: string
  type: ClientType
  /** The scopes that it may request from its users; if omitted, every scope. */
  scopes?: readonly string[] | undefined
  redirectUris: readonly string[]
  postLogoutRedirectUris: readonly string[]
  /** The operator's own: its users are not asked for consent. */
  firstParty?: boolean | undefined
  /** A resource server: may introspect the tokens of every client. */
  introspectsAnyToken?: boolean | undefined
  /** Runs on devices without a browser, whose users type a code elsewhere (RFC 8628): needs no redirect URI. */
  device?: boolean | undefined
}

/** Its id is random: no client can be made into one with the id of another. */
interface NewServiceClient {
  name: string
  /** What it may read in every organization. */
  scopes: readonly string[]
}

/** A client's lists of redirect URIs. */
type UriList = 'redirectUris' | 'postLogoutRedirectUris'

/** 32 random bytes, of which only the digest is stored. Undefined for a public client. */
type NewSecret = { secret: string | undefined }

/**
 * Registers a client for codes and refresh tokens. If a client has no redirect URI, it is registered for devices, or for introspection alone. The
 * secret is returned only here.
 * @throws OAuthError `invalid_request` if the id, the name or a URI cannot be registered, if the id is taken, if a scope does not exist, or if a
 *   resource server has no secret
 */
export async function createClient(
  { clients, ids, redirectPolicy }: RegistrationDeps,
  {
    clientId = ids.uuid(),
    name,
    type,
    scopes,
    redirectUris,
    postLogoutRedirectUris,
    firstParty = false,
    introspectsAnyToken = false,
    device = false,
  }: NewClient,
): Promise<{ client: OAuthClient } & NewSecret> {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(clientId)) throw refused('a client id is of 1 to 128 letters, digits, _ and -')
  if (isReserved(clientId)) throw refused('ids of this form are those of API clients and service clients')
  if (redirectUris.length === 0 && !introspectsAnyToken && !device) throw refused('a client has a redirect URI')
  if (scopes?.every(isScope) === false) throw refused('a scope does not exist')
  if (introspectsAnyToken && type === 'public') throw refused('a client that introspects every token has a secret')
  for (const uri of [...redirectUris, ...postLogoutRedirectUris]) requireRegistrable(uri, { type }, redirectPolicy)
  const secret = type === 'public' ? undefined : ids.secret()
  const client: OAuthClient = {
    clientId,
    type,
    name: nameOf(name),
    secretDigests: secret === undefined ? [] : [digestSecret(secret)],
    grantTypes: grantTypesOf({ redirectUris, device }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes.filter(isScope))] }),
    redirectUris: [...new Set(redirectUris)],
    postLogoutRedirectUris: [...new Set(postLogoutRedirectUris)],
    disabled: false,
    ...(firstParty && { firstParty }),
    ...(introspectsAnyToken && { introspectsAnyToken }),
  }
  if (!(await clients.create(client))) throw refused(`there is a client ${clientId} already`)
  return { client, secret }
}

/**
 * Registers a service client: a server of the operator that reads every organization, as far as its scopes go. It has no users.
 * @throws OAuthError `invalid_request` if the name or a scope cannot be registered
 */
export async function createServiceClient(
  { clients, ids }: Pick<RegistrationDeps, 'clients' | 'ids'>,
  { name, scopes }: NewServiceClient,
): Promise<{ client: OAuthClient } & NewSecret> {
  if (scopes.length === 0) throw refused('a service client has a scope')
  const granted = scopes.filter(isServiceScope)
  if (granted.length < scopes.length) throw refused('a service client is granted scopes that read organizations only')
  const secret = ids.secret()
  const client: OAuthClient = {
    clientId: serviceClientIdOf(ids.uuid()),
    type: 'confidential',
    name: nameOf(name),
    secretDigests: [digestSecret(secret)],
    grantTypes: ['client_credentials'],
    scopes: [...new Set(granted)],
    redirectUris: [],
    postLogoutRedirectUris: [],
    disabled: false,
    securityRev: FIRST_REVISION,
  }
  if (!(await clients.create(client))) throw refused(`there is a client ${client.clientId} already`)
  return { client, secret }
}

function grantTypesOf({ redirectUris, device }: { redirectUris: readonly string[]; device: boolean }): GrantType[] {
  const ofUsers: GrantType[] = []
  if (redirectUris.length > 0) ofUsers.push('authorization_code')
  if (device) ofUsers.push(DEVICE_CODE)
  return ofUsers.length === 0 ? [] : [...ofUsers, 'refresh_token']
}

function nameOf(name: string): string {
  if (name.trim() === '') throw refused('a client has a name')
  return name.trim()
}

function isReserved(clientId: string): boolean {
  return [apiClientIdSchema, serviceClientIdSchema].some((schema) => schema.safeParse(clientId).success)
}

/**
 * Gives a client a second secret. Both are valid until `retireSecret`, so that the client can switch without downtime.
 * @throws OAuthError `invalid_request` if the client is public, or if it has two secrets already
 */
export async function rotateSecret(
  deps: RegistrationDeps,
  clientId: string,
): Promise<{ client: OAuthClient } & NewSecret> {
  const secret = deps.ids.secret()
  const client = await changeClient(deps, clientId, (before) => {
    if (before.type === 'public') throw refused(`${clientId} is a public client: it has no secret`)
    if (before.secretDigests.length > 1)
      throw refused(`${clientId} has two secrets already: retire the older one first`)
    return { secretDigests: [digestSecret(secret), ...before.secretDigests] }
  })
  return { client, secret }
}

/**
 * Ends a rotation: only the newest secret stays valid. Safe to repeat.
 * @throws OAuthError `invalid_request` if the client is unknown
 */
export function retireSecret(deps: RegistrationDeps, clientId: string): Promise<OAuthClient> {
  return changeClient(deps, clientId, ({ secretDigests }) => ({ secretDigests: secretDigests.slice(0, 1) }))
}

/**
 * Registers another URI. Safe to repeat.
 * @throws OAuthError `invalid_request` if the client is unknown, or if the URI cannot be registered
 */
export function addUri(deps: RegistrationDeps, clientId: string, list: UriList, uri: string): Promise<OAuthClient> {
  return changeClient(deps, clientId, (before) => {
    if (before.securityRev !== undefined) throw refused(`${clientId} is a service client: it has no users`)
    if (!before.grantTypes.includes('authorization_code'))
      throw refused(`${clientId} is registered without redirect URIs: for devices, or for introspection alone`)
    requireRegistrable(uri, before, deps.redirectPolicy)
    return { [list]: [...new Set([...before[list], uri])] }
  })
}

/**
 * Removes a URI. Safe to repeat.
 * @throws OAuthError `invalid_request` if the client is unknown, or if it is the last redirect URI
 */
export function removeUri(deps: RegistrationDeps, clientId: string, list: UriList, uri: string): Promise<OAuthClient> {
  return changeClient(deps, clientId, (before) => {
    const remaining = before[list].filter((one) => one !== uri)
    if (list === 'redirectUris' && remaining.length === 0) throw refused(`it is the only redirect URI of ${clientId}`)
    return { [list]: remaining }
  })
}

/**
 * Writes every client again with its origins, for clients that were registered before origins were stored. Safe to repeat: if a client changes at
 * the same time, that change writes its origins. Returns the number of clients.
 */
export async function rewriteClients({ clients }: Pick<RegistrationDeps, 'clients'>): Promise<number> {
  const all = await clients.list()
  for (const client of all) await clients.replace(client, client)
  return all.length
}

/**
 * Replaces a registered client by its change.
 * @throws OAuthError `invalid_request` if the client is unknown, or if another command changed it meanwhile
 */
export async function changeClient(
  { clients }: Pick<RegistrationDeps, 'clients'>,
  clientId: string,
  changeOf: (before: OAuthClient) => Partial<OAuthClient>,
): Promise<OAuthClient> {
  const before = await clients.find(clientId)
  if (before === undefined) throw refused(`there is no client ${clientId}`)
  const after = { ...before, ...changeOf(before) }
  if (!(await clients.replace(before, after))) throw refused(`${clientId} was changed at the same time: try again`)
  return after
}

function refused(message: string): OAuthError {
  return new OAuthError('invalid_request', { message })
}
