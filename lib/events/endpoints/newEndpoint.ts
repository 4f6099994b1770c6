import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { checkEndpointUrl, type EndpointUrlDeps } from '../endpointUrl.ts'
import { RefusedUrlError } from '../errors.ts'
import type { Endpoint, EndpointOwner, WebhookSecretCipher } from '../ports.ts'

/** The most endpoints that an owner may have. */
export const MAX_ENDPOINTS = 10

export interface NewEndpointDeps {
  readonly urls: EndpointUrlDeps
  readonly cipher: Pick<WebhookSecretCipher, 'encrypt'>
  readonly ids: Pick<Ids, 'uuid' | 'secret'>
  readonly clock: Clock
}

/** What an owner chooses of an endpoint. */
export type EndpointSettings = Pick<Endpoint, 'url' | 'eventTypes' | 'description'>

/** A secret as receivers use it, and as it is stored. */
export interface NewSecret {
  readonly secret: string
  readonly cipher: string
}

/**
 * An endpoint to be stored, with its secret.
 * @throws RefusedUrlError; CommonError `service_unavailable`
 */
export async function newEndpoint(
  deps: NewEndpointDeps,
  { owner, id, url, eventTypes, description }: EndpointSettings & Pick<Endpoint, 'owner' | 'id'>,
): Promise<NewSecret & { readonly endpoint: Endpoint }> {
  await requireUsableUrl(deps.urls, url)
  const endpoint: Endpoint = {
    owner,
    id,
    url,
    description,
    eventTypes: eventTypes && [...new Set(eventTypes)],
    enabled: true,
    disabledReason: null,
    createdAt: deps.clock.now(),
  }
  return { endpoint, ...(await newSecret(deps, owner)) }
}

/** Throws RefusedUrlError if events cannot be sent to the URL now. Each delivery checks it again. */
export async function requireUsableUrl(urls: EndpointUrlDeps, url: string): Promise<void> {
  const check = await checkEndpointUrl(url, urls)
  if (check.kind === 'refused') throw new RefusedUrlError(check.fault)
}

/**
 * A new secret of Standard Webhooks with 256 random bits, encrypted for its owner.
 * @throws CommonError `service_unavailable`
 */
export async function newSecret(
  { ids, cipher }: Pick<NewEndpointDeps, 'ids' | 'cipher'>,
  owner: EndpointOwner,
): Promise<NewSecret> {
  const secret = `whsec_${Buffer.from(ids.secret(), 'base64url').toString('base64')}`
  return { secret, cipher: await cipher.encrypt(owner, secret) }
}
