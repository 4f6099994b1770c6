import type { Ids } from '../core/ids.ts'
import { OAuthError } from './errors.ts'
import type { ClientType, OAuthClient } from './oauthClient.ts'
import type { OAuthClientRegistry, OAuthClients } from './ports.ts'
import { requireRegistrable } from './redirectUri.ts'
import { digestSecret } from './secretDigest.ts'

/** Where clients are kept, and where their secrets come from. */
export interface RegistrationDeps {
  readonly clients: OAuthClients & OAuthClientRegistry
  readonly ids: Ids
}

/** What a client is registered with. */
export interface NewClient {
  /** A random one where left out. */
  clientId?: string | undefined
  name: string
  type: ClientType
  redirectUris: readonly string[]
  postLogoutRedirectUris: readonly string[]
  /** Of the house: its users are not asked whether they allow it anything. */
  firstParty?: boolean | undefined
}

/** The lists of addresses that a client has. */
export type UriList = 'redirectUris' | 'postLogoutRedirectUris'

/** 32 random bytes; this text is kept nowhere. Undefined for a public client. */
type OnlyOnce = { secret: string | undefined }

/**
 * Registers a client for codes and refresh tokens. Its secret is told this once.
 * @throws OAuthError `invalid_request` for an id, a name or an address that cannot be registered, or an id that is taken
 */
export async function createClient(
  { clients, ids }: RegistrationDeps,
  { clientId = ids.uuid(), name, type, redirectUris, postLogoutRedirectUris, firstParty = false }: NewClient,
): Promise<{ client: OAuthClient } & OnlyOnce> {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(clientId)) throw refused('a client id is of 1 to 128 letters, digits, _ and -')
  if (name.trim() === '') throw refused('a client has a name')
  if (redirectUris.length === 0) throw refused('a client has a redirect URI')
  for (const uri of [...redirectUris, ...postLogoutRedirectUris]) requireRegistrable(uri, type)
  const secret = type === 'public' ? undefined : ids.secret()
  const client: OAuthClient = {
    clientId,
    type,
    name: name.trim(),
    secretDigests: secret === undefined ? [] : [digestSecret(secret)],
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: [...new Set(redirectUris)],
    postLogoutRedirectUris: [...new Set(postLogoutRedirectUris)],
    disabled: false,
    ...(firstParty && { firstParty }),
  }
  if (!(await clients.create(client))) throw refused(`there is a client ${clientId} already`)
  return { client, secret }
}

/**
 * Gives a client another secret beside the one it has; both are good until `retireSecret`, so that it can be changed without a gap.
 * @throws OAuthError `invalid_request` for a public client, and where two secrets are good already
 */
export async function rotateSecret(
  deps: RegistrationDeps,
  clientId: string,
): Promise<{ client: OAuthClient } & OnlyOnce> {
  const secret = deps.ids.secret()
  const client = await change(deps, clientId, (before) => {
    if (before.type === 'public') throw refused(`${clientId} is a public client: it has no secret`)
    if (before.secretDigests.length > 1)
      throw refused(`${clientId} has two secrets already: retire the older one first`)
    return { secretDigests: [digestSecret(secret), ...before.secretDigests] }
  })
  return { client, secret }
}

/**
 * Ends a rotation: only the newest secret is good from now on. Safe to repeat.
 * @throws OAuthError `invalid_request` for an unknown client
 */
export function retireSecret(deps: RegistrationDeps, clientId: string): Promise<OAuthClient> {
  return change(deps, clientId, ({ secretDigests }) => ({ secretDigests: secretDigests.slice(0, 1) }))
}

/**
 * Switches a client off or on again. One that is off gets no codes, no tokens and no answers; access tokens that it holds are good
 * until they expire.
 * @throws OAuthError `invalid_request` for an unknown client
 */
export function setDisabled(deps: RegistrationDeps, clientId: string, disabled: boolean): Promise<OAuthClient> {
  return change(deps, clientId, () => ({ disabled }))
}

/**
 * Registers one more address. Safe to repeat.
 * @throws OAuthError `invalid_request` for an unknown client or an address that cannot be registered
 */
export function addUri(deps: RegistrationDeps, clientId: string, list: UriList, uri: string): Promise<OAuthClient> {
  return change(deps, clientId, (before) => {
    requireRegistrable(uri, before.type)
    return { [list]: [...new Set([...before[list], uri])] }
  })
}

/**
 * Takes an address out. Safe to repeat, but that a client keeps one redirect URI.
 * @throws OAuthError `invalid_request` for an unknown client, or the last redirect URI
 */
export function removeUri(deps: RegistrationDeps, clientId: string, list: UriList, uri: string): Promise<OAuthClient> {
  return change(deps, clientId, (before) => {
    const left = before[list].filter((one) => one !== uri)
    if (list === 'redirectUris' && left.length === 0) throw refused(`it is the only redirect URI of ${clientId}`)
    return { [list]: left }
  })
}

async function change(
  { clients }: RegistrationDeps,
  clientId: string,
  changeOf: (before: OAuthClient) => Partial<OAuthClient>,
): Promise<OAuthClient> {
  const before = await clients.find(clientId)
  if (before === undefined) throw refused(`there is no client ${clientId}`)
  const after = { ...before, ...changeOf(before) }
  if (!(await clients.replace(before, after))) throw refused(`${clientId} was changed meanwhile: look, and try again`)
  return after
}

function refused(message: string): OAuthError {
  return new OAuthError('invalid_request', { message })
}
